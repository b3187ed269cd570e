package import Foundation
package import GatehouseProtocol

/// `v2/accounts/mfaEnrollment:start`, `:finalize` and `:withdraw`, and `v2/accounts/recoveryCodes:create`.
///
/// Source: Identity Platform, `v2.accounts.mfaEnrollment`. Recovery codes are an extension, and so is an enrollment
/// with `mfaPendingCredential`: a project may require a factor of a user who has none.
struct EnrollSecondFactor: Endpoint {
  let services: APIServices

  var routes: [Route] {
    let path = "v2/accounts/mfaEnrollment:"
    return [
      .client(.post, path + "start", "mfaEnrollment.start", start),
      Route.signIn(at: path + "finalize", "mfaEnrollment.finalize", finalize),
      Route.signIn(at: path + "withdraw", "mfaEnrollment.withdraw", withdraw),
      .client(
        .post, "v2/accounts/recoveryCodes:create", "recoveryCodes.create", createRecoveryCodes),
    ]
  }

  func start(_ call: Call) async throws -> Answer {
    let request = try call.request(StartMFAEnrollmentRequest.self)
    let project = try call.requireProject()
    let accounts = services.accounts
    let method: PresentedFactor.Method = request.factor == .totp ? .totp : .phone
    try project.policies.secondFactors.require(method)
    let user = try EnrollingUser(request.idToken, request.pendingCredential)
    let number: PhoneNumber? =
      if case .phone(let text)? = request.factor { PhoneNumber(text ?? "") } else { nil }
    let permitted = try await accounts.mayEnroll(
      method, number, by: user, in: project, now: call.now)
    switch request.factor {
    case .totp?:
      let enrollment = try accounts.beginTOTP(of: permitted, in: project, now: call.now)
      return Answer(
        StartMFAEnrollmentResponse.totp(
          TOTPSessionInfo(
            sharedSecretKey: enrollment.totp.base32.reveal(),
            sessionInfo: enrollment.sessionInfo,
            finalizeEnrollmentTime: enrollment.endsAt.withMilliseconds)))
    case .phone(let text)?:
      let number = try PhoneNumber(checking: text ?? "")
      return Answer(
        StartMFAEnrollmentResponse.phone(
          sessionInfo: try await accounts.sendCode(
            to: number, language: call.language, from: call.client, in: project, now: call.now)))
    case nil: throw APIError.refused(.invalidArgument, "((Missing phoneEnrollmentInfo.))")
    }
  }

  func finalize(_ call: Call) async throws -> Answer {
    let request = try call.request(FinalizeMFAEnrollmentRequest.self)
    let project = try call.requireProject()
    let method: PresentedFactor.Method =
      if case .totp? = request.verification { .totp } else { .phone }
    try project.policies.secondFactors.require(method)
    let user = try EnrollingUser(request.idToken, request.pendingCredential)
    let proof: ShownFactor
    switch request.verification {
    case .phone(let info)?:
      proof = try ShownFactor(info)
    case .totp(let sessionInfo, let code)?:
      guard let code else { throw APIError.refused(.missingCode) }
      guard let sessionInfo else { throw APIError.refused(.missingSessionInfo) }
      proof = .totp(id: sessionInfo, code: Secret(code))
    case nil: throw APIError.refused(.invalidArgument, "((Missing phoneVerificationInfo.))")
    }
    try ProfileBounds.check(displayName: request.displayName, photoURL: nil)
    let enrolled = try await services.accounts.enroll(
      proof, name: request.displayName, by: user,
      consent: try request.consent.map { try GivenConsent(checking: $0) }, from: call.client,
      language: call.language, in: project, now: call.now)
    var response = FinalizeMFAEnrollmentResponse(
      tokens: enrolled.signedIn.tokens, factor: MFAAuthInfo(enrolled.factor))
    response.recoveryCodes = enrolled.recoveryCodes.map { $0.reveal() }
    return Answer(response)
  }

  func withdraw(_ call: Call) async throws -> Answer {
    let request = try call.request(WithdrawMFARequest.self)
    let project = try call.requireProject()
    guard let idToken = request.idToken else { throw APIError.refused(.missingIDToken) }
    let signedIn = try await services.accounts.withdrawSecondFactor(
      request.enrollmentID ?? "", idToken: idToken, language: call.language, in: project,
      now: call.now)
    return Answer(WithdrawMFAResponse(tokens: signedIn.tokens))
  }

  func createRecoveryCodes(_ call: Call) async throws -> Answer {
    let request = try call.request(CreateRecoveryCodesRequest.self)
    guard let idToken = request.idToken else { throw APIError.refused(.missingIDToken) }
    let codes = try await services.accounts.createRecoveryCodes(
      idToken: idToken, language: call.language, in: try call.requireProject(), now: call.now)
    return Answer(CreateRecoveryCodesResponse(codes.map { $0.reveal() }))
  }
}

/// Who enrolls a factor.
package enum EnrollingUser: Sendable {
  case session(idToken: String)
  /// A user who has shown the first factor, whose account has no second one, and whose project requires one.
  case waiting(pendingCredential: String)

  /// - Throws: ``APIError`` for a request with neither.
  init(_ idToken: String?, _ pendingCredential: String?) throws(APIError) {
    if let idToken {
      self = .session(idToken: idToken)
    } else if let pendingCredential {
      self = .waiting(pendingCredential: pendingCredential)
    } else {
      throw .refused(.missingIDToken)
    }
  }
}

/// A factor that was enrolled, and the session in which it counts as shown.
package struct EnrolledFactor: Sendable {
  package let factor: SecondFactor
  package let signedIn: SignedIn
  /// Empty if the account has some already.
  package let recoveryCodes: [Secret<String>]
}

extension AccountsService {
  /// Checks that a user may enroll a factor.
  ///
  /// - Throws: As ``enroll(_:name:by:consent:from:language:in:now:)``.
  func mayEnroll(
    _ method: PresentedFactor.Method, _ number: PhoneNumber? = nil, by user: EnrollingUser,
    in project: Project, now: Date
  ) async throws -> Account {
    let caller = try EnrollingCaller(user, self, in: project, now: now)
    return try await store.read { transaction in
      try caller.permit(
        method, number.map { .phone($0) }, transaction, in: project, now: now
      ).account
    }
  }

  /// A secret for an authenticator app, which becomes a factor with
  /// ``enroll(_:name:by:consent:from:language:in:now:)``. It needs no row: the client gets it a second time as
  /// `sessionInfo`, encrypted and bound to project and account.
  func beginTOTP(
    of account: Account, in project: Project, now: Date
  ) throws -> (totp: TOTP, sessionInfo: String, endsAt: Date) {
    let totp = TOTP.random()
    var fields = FieldWriter()
    fields.write(account.uid.text)
    fields.write(totp.base64URL)
    let sessionInfo = try pendingTokens.box.seal(
      fields, writtenAt: now.wholeMilliseconds, bound: Self.boundTOTP(to: project.id))
    return (
      totp, sessionInfo, now.wholeMilliseconds.addingTimeInterval(FirstFactor.lifetimeSeconds)
    )
  }

  private func totp(
    in sessionInfo: String, of uid: UID, in project: Project, now: Date
  ) throws(AccountsError) -> TOTP {
    do {
      var opened = try pendingTokens.box.open(
        sessionInfo, bound: Self.boundTOTP(to: project.id),
        lifetimeSeconds: FirstFactor.lifetimeSeconds, now: now)
      guard try opened.fields.string()?.hasSameBytes(as: uid.text) == true,
        let totp = try opened.fields.string().flatMap({ TOTP(base64URL: $0) })
      else { throw AccountsError.invalidSessionInfo }
      return totp
    } catch TokenBox.Refusal.expired {
      throw .sessionExpired
    } catch {
      throw .invalidSessionInfo
    }
  }

  private static func boundTOTP(to project: ProjectID) -> String { "totp \(project.text)" }

  /// Adds a factor to the account, and begins a session in which it counts as shown.
  ///
  /// - Parameters:
  ///   - proof: A code. That of an authenticator app has the `sessionInfo` of the enrollment in place of the
  ///     factor's id.
  ///   - consent: What the user agreed to; needed for a number if the project's policy requires consent.
  /// - Throws: ``AccountsError/secondFactorExists(_:)``, ``AccountsError/tooManySecondFactors``,
  ///   ``AccountsError/firstFactorIneligible``, ``AccountsError/emailUnverified``,
  ///   ``AccountsError/credentialTooOld``, ``AccountsError/invalidCode``, ``AccountsError/invalidSessionInfo``,
  ///   ``AccountsError/sessionExpired``, ``AccountsError/consentRequired(_:)``,
  ///   ``AccountsError/tooManyAttempts``, ``AccountsError/invalidPendingCredential``,
  ///   ``AccountsError/blockedByFunction(_:)``, ``AccountsError/overloaded``, and what
  ///   ``currentUser(ofIDToken:in:now:)`` throws.
  package func enroll(
    _ proof: ShownFactor, name: String?, by user: EnrollingUser, consent: GivenConsent? = nil,
    from client: ClientAddress, language: String? = nil, in project: Project, now: Date
  ) async throws -> EnrolledFactor {
    let caller = try EnrollingCaller(user, self, in: project, now: now)
    let notices = notices
    let context = BlockingContext(
      method: caller.firstFactor?.method ?? ProviderID.password.text, client: client,
      language: language)
    let (ending, factor, codes) = try await write(asking: context, in: project, now: now) {
      transaction, gate -> Result<(SignInEnding, SecondFactor, [Secret<String>]), AccountsError> in
      let method: PresentedFactor.Method = if case .totp = proof { .totp } else { .phone }
      let permitted = try caller.permit(method, nil, transaction, in: project, now: now)
      let before = permitted.account
      let kind: SecondFactor.Kind
      switch try self.kind(
        proof, of: before, from: client, transaction, in: project, now: now)
      {
      case .failure(let refusal): return .failure(refusal)
      case .success(let checked): kind = checked
      }
      var account = before
      var factors = before.secondFactors ?? SecondFactors()
      try factors.refuse(kind)
      guard factors.factors.count < SecondFactors.maximumCount else {
        throw AccountsError.tooManySecondFactors
      }
      let factor = SecondFactor(kind, name: name, now: now)
      factors.factors.append(factor)
      let codes = factors.recoveryCodes.isEmpty ? factors.replaceRecoveryCodes() : []
      account.secondFactors = factors
      try transaction.keepConsent(consent, from: before, to: account, in: project, now: now)
      let ending = try transaction.signIn(
        to: account, replacing: before, after: permitted.first, with: PresentedFactor(factor),
        gate, language: language, in: project, now: now)
      try notices.add(
        .secondFactorAdded, to: account, language: language, in: project, transaction, now: now)
      return .success((ending, factor, codes))
    }.get()
    return EnrolledFactor(
      factor: factor, signedIn: try signedIn(ending, in: project, now: now), recoveryCodes: codes)
  }

  private func kind(
    _ proof: ShownFactor, of account: Account, from client: ClientAddress,
    _ transaction: Transaction, in project: Project, now: Date
  ) throws -> Result<SecondFactor.Kind, AccountsError> {
    switch proof {
    case .phone(let sessionInfo, let code):
      return try transaction.take(
        code, of: sessionInfo, by: account, from: client, in: project, now: now
      ).map { .phone($0) }
    case .totp(let sessionInfo, let code):
      var totp = try totp(in: sessionInfo ?? "", of: account.uid, in: project, now: now)
      let steps = project.policies.secondFactors.adjacentIntervals
      return totp.accept(code, adjacentSteps: steps, now: now)
        ? .success(.totp(totp)) : .failure(.invalidCode)
    case .recoveryCode, .passkey: return .failure(.invalidCode)
    }
  }

  /// Removes a factor, and begins a session in which it doesn't count as shown any more.
  ///
  /// - Throws: ``AccountsError/secondFactorNotFound``, ``AccountsError/credentialTooOld``,
  ///   ``AccountsError/secondFactorRequired``, and what ``currentUser(ofIDToken:in:now:)`` throws.
  package func withdrawSecondFactor(
    _ id: String, idToken: String, language: String? = nil, in project: Project, now: Date
  ) async throws -> SignedIn {
    let facts = try sessions.verify(idToken, in: project, now: now)
    let notices = notices
    let ending = try await store.write { transaction in
      let user = try transaction.currentUser(facts, in: project.id)
      var account = user.account
      guard var factors = account.secondFactors, factors.remove(id) else {
        throw AccountsError.secondFactorNotFound
      }
      try user.requireRecentSignIn(under: project.policies, now: now)
      account.secondFactors = factors
      if factors.factors.isEmpty,
        project.policies.secondFactors.requiresFactor(of: account, now: now)
      {
        throw AccountsError.secondFactorRequired
      }
      try transaction.endSessions(
        ofRemovedCredentials: user.account, account, except: user.session.id, in: project.id,
        now: now)
      try transaction.save(account, replacing: user.account, in: project.id, now: now)
      try notices.add(
        .secondFactorRemoved, to: account, language: language, in: project, transaction, now: now)
      var former = user.session
      if former.secondFactor?.id.hasSameBytes(as: id) == true { former.secondFactor = nil }
      let session = try transaction.beginSession(
        of: account, by: former.provider, admission: .notNeeded,
        signInAttributes: former.signInAttributes, authenticatedAt: former.authenticatedAt,
        replacing: former, in: project, now: now)
      return SignInEnding.session(account, session, isNew: false)
    }
    return try signedIn(ending, in: project, now: now)
  }

  /// Gives the account new recovery codes, in place of those that it has.
  ///
  /// - Throws: ``AccountsError/secondFactorNotFound`` if the account has no factor,
  ///   ``AccountsError/credentialTooOld``, and what ``currentUser(ofIDToken:in:now:)`` throws.
  package func createRecoveryCodes(
    idToken: String, language: String? = nil, in project: Project, now: Date
  ) async throws -> [Secret<String>] {
    let facts = try sessions.verify(idToken, in: project, now: now)
    let notices = notices
    return try await store.write { transaction in
      let user = try transaction.currentUser(facts, in: project.id)
      var account = user.account
      guard var factors = account.secondFactors, !factors.factors.isEmpty else {
        throw AccountsError.secondFactorNotFound
      }
      try user.requireRecentSignIn(under: project.policies, now: now)
      let codes = factors.replaceRecoveryCodes()
      account.secondFactors = factors
      try transaction.save(account, replacing: user.account, in: project.id, now: now)
      try transaction.record(.recoveryCodesChanged, of: account.uid, in: project.id, now: now)
      try notices.add(
        .recoveryCodesCreated, to: account, language: language, in: project, transaction, now: now)
      return codes
    }
  }
}

/// The verified credential of a user who enrolls a factor.
enum EnrollingCaller: Sendable {
  case session(IDTokenFacts)
  case waiting(FirstFactor)

  init(
    _ user: EnrollingUser, _ accounts: AccountsService, in project: Project, now: Date
  ) throws(AccountsError) {
    switch user {
    case .session(let idToken):
      self = .session(try accounts.sessions.verify(idToken, in: project, now: now))
    case .waiting(let credential):
      self = .waiting(
        try accounts.firstFactors.firstFactor(in: credential, project: project.id, now: now))
    }
  }

  var uid: UID {
    switch self {
    case .session(let facts): facts.uid
    case .waiting(let first): first.uid
    }
  }

  /// Nil for a session.
  var firstFactor: FirstFactor? {
    if case .waiting(let first) = self { first } else { nil }
  }

  /// The account, and what shows that the caller is its user.
  ///
  /// - Parameter kind: What is going to be enrolled, if that is known yet.
  func permit(
    _ method: PresentedFactor.Method, _ kind: SecondFactor.Kind?, _ transaction: Transaction,
    in project: Project, now: Date
  ) throws -> (account: Account, first: FirstFactor) {
    switch self {
    case .session(let facts):
      let user = try transaction.currentUser(facts, in: project.id)
      let provider = user.session.provider
      let isIneligible =
        provider == .anonymous || provider == .custom || provider == .phone && method == .phone
      if isIneligible { throw AccountsError.firstFactorIneligible }
      guard user.account.isEmailVerified else { throw AccountsError.emailUnverified }
      // Before the rest, as in Google's service: an app that asks twice would otherwise ask for a new sign-in.
      if let kind { try user.account.secondFactors?.refuse(kind) }
      try user.requireRecentSignIn(under: project.policies, now: now)
      var first = FirstFactor(
        uid: user.account.uid, createdAt: user.account.createdAt, provider: provider,
        method: provider.text, shownAt: now.wholeMilliseconds)
      first.authenticatedAt = user.session.authenticatedAt
      first.signInAttributes = user.session.signInAttributes
      first.session = user.session.id
      return (user.account, first)
    case .waiting(let first):
      return (
        try transaction.account(enrolling: method, after: first, in: project, now: now), first
      )
    }
  }
}

extension Transaction {
  /// The account whose user has shown the first factor, and has to enroll a second one.
  ///
  /// - Throws: ``AccountsError/invalidPendingCredential``, ``AccountsError/credentialTooOld``,
  ///   ``AccountsError/firstFactorIneligible`` if the first factor is of the same kind,
  ///   ``AccountsError/userNotFound``, ``AccountsError/userDisabled``.
  func account(
    enrolling method: PresentedFactor.Method, after first: FirstFactor, in project: Project,
    now: Date
  ) throws -> Account {
    let account = try account(waitingAfter: first, in: project.id)
    // With a factor, the user has to show it. And an address needn't be verified: its owner takes the account
    // over, without the factor.
    guard first.mayEnroll(in: account, under: project.policies),
      project.policies.secondFactors.requiresFactor(of: account, now: now)
    else { throw AccountsError.invalidPendingCredential }
    // As in a session: a thief with an old token may have linked the credential.
    guard !account.hasUnconfirmed(first.provider),
      first.shownAt.timeIntervalSince(first.authenticatedAt ?? first.shownAt)
        <= TimeInterval(project.policies.recentSignInSeconds)
    else { throw AccountsError.credentialTooOld }
    let isSameKind =
      switch method {
      case .phone: first.provider == .phone
      case .passkey: first.provider == .passkey
      case .totp, .recoveryCode: false
      }
    if isSameKind { throw AccountsError.firstFactorIneligible }
    return account
  }
}

extension SecondFactors {
  /// - Throws: ``AccountsError/secondFactorExists(_:)``.
  fileprivate func refuse(_ kind: SecondFactor.Kind) throws(AccountsError) {
    if let same = factors.first(where: { $0.kind.isSame(as: kind) }) {
      throw .secondFactorExists(same.method)
    }
  }
}

extension SecondFactor.Kind {
  /// Whether it has the same number or secret.
  fileprivate func isSame(as other: SecondFactor.Kind) -> Bool {
    switch (self, other) {
    case (.phone(let one), .phone(let other)): one == other
    case (.totp(let one), .totp(let other)): one.hasSameSecret(as: other)
    default: false
    }
  }
}

extension MFAAuthInfo {
  fileprivate init(_ factor: SecondFactor) {
    switch factor.kind {
    case .phone(let number): self = .phone(number: number.text)
    case .totp: self = .totp
    }
  }
}
