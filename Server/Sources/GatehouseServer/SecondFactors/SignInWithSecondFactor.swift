package import Foundation
package import GatehouseProtocol

/// `v2/accounts/mfaSignIn:start` and `:finalize`: ends a sign-in whose first factor was right.
///
/// Source: Identity Platform, `v2.accounts.mfaSignIn`. Recovery codes and passkeys are extensions.
struct SignInWithSecondFactor: Endpoint {
  let services: APIServices

  var routes: [Route] {
    let path = "v2/accounts/mfaSignIn:"
    return [
      .client(.post, path + "start", "mfaSignIn.start", start),
      Route.signIn(at: path + "finalize", "mfaSignIn.finalize", finalize),
    ]
  }

  func start(_ call: Call) async throws -> Answer {
    let request = try call.request(StartMFASignInRequest.self)
    let project = try call.requireProject()
    try project.policies.secondFactors.require(.phone)
    guard let credential = request.pendingCredential else {
      throw APIError.refused(
        .missingMFAPendingCredential, "Request does not have MFA pending credential.")
    }
    guard let id = request.enrollmentID else {
      throw APIError.refused(
        .missingMFAEnrollmentID, "No second factor identifier is provided.")
    }
    return Answer(
      StartMFASignInResponse(
        sessionInfo: try await services.accounts.sendCode(
          toFactor: id, pendingCredential: credential, language: call.language, from: call.client,
          in: project, now: call.now)))
  }

  func finalize(_ call: Call) async throws -> Answer {
    let request = try call.request(FinalizeMFASignInRequest.self)
    let project = try call.requireProject()
    let factor = try Self.factor(request, under: project.policies.secondFactors)
    guard let credential = request.pendingCredential else {
      throw APIError.refused(.missingCredential, "Please set MFA Pending Credential.")
    }
    guard let factor else {
      throw APIError.refused(.invalidArgument, "MFA provider not supported!")
    }
    let signedIn = try await services.accounts.signIn(
      pendingCredential: credential, with: factor, from: call.client, language: call.language,
      in: project, now: call.now)
    var response = FinalizeMFASignInResponse(
      tokens: signedIn.tokens, factor: signedIn.session.secondFactor.flatMap { MFAAuthInfo($0) })
    if case .recoveryCode = factor {
      response.recoveryCodesLeft = signedIn.account.secondFactors?.recoveryCodes.count
    }
    return Answer(response)
  }

  /// - Throws: If the project doesn't offer factors of this kind. Without a factor, all kinds are asked for, as in
  ///   Google's service.
  private static func factor(
    _ request: FinalizeMFASignInRequest, under policy: SecondFactorPolicy
  ) throws -> ShownFactor? {
    switch request.verification {
    case .phone(let info)?:
      try policy.require(.phone)
      return try ShownFactor(info)
    case .totp(let code)?:
      try policy.require(.totp)
      guard let code else { throw APIError.refused(.missingCode) }
      return .totp(id: request.enrollmentID, code: Secret(code))
    case .recoveryCode(let code)?:
      try policy.require(.recoveryCode)
      guard let code else { throw APIError.refused(.missingCode) }
      return .recoveryCode(Secret(code))
    case .passkey(let body)?:
      try policy.require(.passkey)
      guard let credential = try FinalizePasskeySignInRequest(WireFields(body)).credential else {
        throw APIError.refused(.missingAuthenticatorResponse)
      }
      return .passkey(try PasskeyAssertion(credential))
    case nil:
      try policy.require(.phone)
      return nil
    }
  }
}

/// A second factor, as a client shows it.
package enum ShownFactor: Sendable {
  case phone(sessionInfo: String, code: Secret<String>)
  /// Without an id, any of the account's authenticator apps.
  case totp(id: String?, code: Secret<String>)
  case recoveryCode(Secret<String>)
  case passkey(PasskeyAssertion)

  /// - Throws: ``APIError`` for a missing part.
  init(_ info: PhoneVerificationInfo) throws(APIError) {
    guard let code = info.code else { throw .refused(.missingCode) }
    guard let sessionInfo = info.sessionInfo else { throw .refused(.missingSessionInfo) }
    self = .phone(sessionInfo: sessionInfo, code: Secret(code))
  }
}

extension SecondFactorPolicy {
  /// - Throws: ``AccountsError/secondFactorDisabled(_:)``.
  func require(_ method: PresentedFactor.Method) throws(AccountsError) {
    let isOffered =
      switch method {
      case .phone: offersMessages
      case .totp: offersTOTP
      case .recoveryCode, .passkey: true
      }
    guard isEnabled, isOffered else { throw .secondFactorDisabled(method) }
  }
}

extension AccountsService {
  /// Sends a code to the number of a second factor.
  ///
  /// - Returns: As ``sendVerificationCode(to:language:from:in:now:)``.
  /// - Throws: ``AccountsError/invalidPendingCredential``, ``AccountsError/secondFactorNotFound``,
  ///   ``AccountsError/userDisabled``, ``AccountsError/userNotFound``, and what
  ///   ``sendVerificationCode(to:language:from:in:now:)`` throws.
  package func sendCode(
    toFactor id: String, pendingCredential: String, language: String?, from client: ClientAddress,
    in project: Project, now: Date
  ) async throws -> String {
    let first = try firstFactors.firstFactor(
      in: pendingCredential, project: project.id, now: now)
    let account = try await store.read { try $0.account(waitingAfter: first, in: project.id) }
    guard case .phone(let number)? = account.secondFactors?[id]?.kind else {
      throw AccountsError.secondFactorNotFound
    }
    return try await sendCode(
      to: number, asFactorOf: account.uid, language: language ?? account.language, from: client,
      in: project, now: now)
  }

  /// Ends a sign-in with the account's second factor.
  ///
  /// A code is used up by the sign-in, except if a blocking function refuses it. A wrong code counts for the
  /// account and the client address; that of a text message for its session too.
  ///
  /// - Throws: ``AccountsError/invalidPendingCredential``, ``AccountsError/secondFactorNotFound``,
  ///   ``AccountsError/invalidCode``, ``AccountsError/invalidRecoveryCode``,
  ///   ``AccountsError/passkeyNotFound``, ``AccountsError/authenticatorResponse(_:)``,
  ///   ``AccountsError/invalidSessionInfo``, ``AccountsError/sessionExpired``,
  ///   ``AccountsError/tooManyAttempts``, ``AccountsError/userDisabled``, ``AccountsError/userNotFound``,
  ///   ``AccountsError/blockedByFunction(_:)``, ``AccountsError/overloaded``.
  package func signIn(
    pendingCredential: String, with factor: ShownFactor, from client: ClientAddress,
    language: String? = nil, in project: Project, now: Date
  ) async throws -> SignedIn {
    let first = try firstFactors.firstFactor(
      in: pendingCredential, project: project.id, now: now)
    let notices = notices
    let context = BlockingContext(method: first.method, client: client, language: language)
    let passkey: VerifiedPasskey?
    if case .passkey(let assertion) = factor {
      // The same passkey isn't two factors.
      if first.provider == .passkey { throw AccountsError.secondFactorNotFound }
      let limiter = RateLimiter.guess(of: nil, from: client, under: project.policies.rateLimits)
      passkey = try await verifying(countedBy: limiter, in: project, now: now) {
        try await verify(
          assertion, for: .secondFactor, of: first.uid, countedBy: limiter, in: project, now: now)
      }
    } else {
      passkey = nil
    }
    do {
      let ending = try await write(asking: context, in: project, now: now) { transaction, gate in
        try SecondFactorTransaction(
          transaction: transaction, project: project, client: client, notices: notices,
          gate: gate, passkey: passkey, now: now
        ).run(first, factor, language: language)
      }.get()
      return try signedIn(ending, in: project, now: now)
    } catch AccountsError.authenticatorResponse(.counter) {
      if let passkey { try await recordCounter(of: passkey, in: project, now: now) }
      throw AccountsError.authenticatorResponse(.counter)
    }
  }

  /// - Throws: ``AccountsError/userDisabled``.
  func signedIn(_ ending: SignInEnding, in project: Project, now: Date) throws -> SignedIn {
    guard case .signedIn(let signedIn) = try result(of: ending, in: project, now: now) else {
      throw AccountsError.invalidPendingCredential
    }
    return signedIn
  }
}

/// The transaction behind showing a second factor.
private struct SecondFactorTransaction {
  let transaction: Transaction
  let project: Project
  let client: ClientAddress
  let notices: AccountNotices
  let gate: BlockingGate
  /// The one that is shown, if it is one.
  let passkey: VerifiedPasskey?
  let now: Date

  /// - Returns: The ending, or a refusal. The caller throws the refusal only after the transaction is durable,
  ///   because the transaction counts the attempt.
  func run(
    _ first: FirstFactor, _ factor: ShownFactor, language: String?
  ) throws -> Result<SignInEnding, AccountsError> {
    let before = try transaction.account(waitingAfter: first, in: project.id)
    var account = before
    let presented: PresentedFactor
    switch try check(factor, of: &account) {
    case .failure(let refusal): return .failure(refusal)
    case .success(let factor): presented = factor
    }
    let ending = try transaction.signIn(
      to: account, replacing: before, after: first, with: presented, gate, language: language,
      in: project, now: now)
    if case .recoveryCode = factor {
      try transaction.record(
        .recoveryCodesChanged, of: account.uid, details: ["used": "true"], in: project.id, now: now)
      try notices.add(
        .recoveryCodeUsed, to: account, language: language, in: project, transaction, now: now)
    }
    return .success(ending)
  }

  private func check(
    _ factor: ShownFactor, of account: inout Account
  ) throws -> Result<PresentedFactor, AccountsError> {
    switch factor {
    case .phone(let sessionInfo, let code):
      let number = try transaction.take(
        code, of: sessionInfo, by: account, from: client, in: project, now: now)
      return number.flatMap { number in
        let factor = account.secondFactors?.factors.first { $0.kind == .phone(number) }
        return factor.map { .success(PresentedFactor($0)) } ?? .failure(.secondFactorNotFound)
      }
    case .totp(let id, let code):
      return try guess(of: account.uid, refusal: .invalidCode) {
        try account.accept(code, ofFactor: id, under: project.policies.secondFactors, now: now)
      }
    case .recoveryCode(let code):
      return try guess(of: account.uid, refusal: .invalidRecoveryCode) {
        guard account.secondFactors?.use(recoveryCode: code) == true else { return nil }
        return PresentedFactor(.recoveryCode, id: PresentedFactor.Method.recoveryCode.rawValue)
      }
    case .passkey:
      guard let passkey,
        let shown = try transaction.use(passkey, in: project.id, now: now).asSecondFactor
      else { return .failure(.secondFactorNotFound) }
      return .success(shown)
    }
  }

  private func guess(
    of uid: UID, refusal: AccountsError, _ body: () throws -> PresentedFactor?
  ) throws -> Result<PresentedFactor, AccountsError> {
    let limiter = RateLimiter.secondFactor(
      of: uid, from: client, under: project.policies.rateLimits)
    try limiter.check(transaction, in: project.id, now: now)
    guard let presented = try body() else {
      try limiter.count(transaction, in: project.id, now: now)
      return .failure(refusal)
    }
    try limiter.succeed(transaction, in: project.id, now: now)
    return .success(presented)
  }
}

extension Account {
  /// Accepts a code of one of the account's authenticator apps, once.
  ///
  /// - Returns: The factor; nil for a wrong code.
  /// - Throws: ``AccountsError/secondFactorNotFound``.
  fileprivate mutating func accept(
    _ code: Secret<String>, ofFactor id: String?, under policy: SecondFactorPolicy, now: Date
  ) throws(AccountsError) -> PresentedFactor? {
    guard var factors = secondFactors else { throw .secondFactorNotFound }
    var isFound = false
    var presented: PresentedFactor?
    for index in factors.factors.indices
    where id.map({ $0.hasSameBytes(as: factors.factors[index].id) }) ?? true {
      guard case .totp(var totp) = factors.factors[index].kind else { continue }
      isFound = true
      guard presented == nil,
        totp.accept(code, adjacentSteps: policy.adjacentIntervals, now: now)
      else { continue }
      factors.factors[index].kind = .totp(totp)
      presented = PresentedFactor(factors.factors[index])
    }
    guard isFound else { throw .secondFactorNotFound }
    secondFactors = factors
    return presented
  }
}

extension Transaction {
  /// Checks the code of a text message, and uses it up.
  ///
  /// A wrong code counts for the account: anyone who knows the number can enter wrong codes for it elsewhere.
  ///
  /// - Returns: The number that has received the code. As ``check(_:of:countedBy:from:in:now:)``, the caller throws a
  ///   refusal only after the transaction is durable.
  func take(
    _ code: Secret<String>, of sessionInfo: String, by account: Account, from client: ClientAddress,
    in project: Project, now: Date
  ) throws -> Result<PhoneNumber, AccountsError> {
    let guesses = RateLimiter.secondFactor(
      of: account.uid, from: client, under: project.policies.rateLimits)
    let checked = try check(
      code, of: sessionInfo, countedBy: guesses, from: client, in: project, now: now)
    if case .success(let verification) = checked {
      try deletePhoneVerification(digest: verification.session.digest, in: project.id)
    }
    return checked.map(\.phoneNumber)
  }

  /// The account whose user has shown the first factor.
  ///
  /// - Throws: ``AccountsError/userNotFound``, ``AccountsError/userDisabled``,
  ///   ``AccountsError/invalidPendingCredential``.
  func account(waitingAfter first: FirstFactor, in project: ProjectID) throws -> Account {
    guard let account = try account(first.uid, in: project) else {
      throw AccountsError.userNotFound
    }
    if account.isDisabled { throw AccountsError.userDisabled }
    try first.refuseStale(for: account)
    if let id = first.session, try session(id, in: project)?.ended != nil {
      throw AccountsError.invalidPendingCredential
    }
    return account
  }

  /// Ends a sign-in whose first factor was shown before.
  ///
  /// - Parameter changed: The account with what the second factor changed.
  func signIn(
    to changed: Account, replacing before: Account, after first: FirstFactor,
    with factor: PresentedFactor, _ gate: BlockingGate, language: String?, in project: Project,
    now: Date
  ) throws -> SignInEnding {
    if let use = first.use, try !spend(use, in: project.id) {
      throw AccountsError.invalidPendingCredential
    }
    var account = changed
    let former = try first.session.flatMap { try session($0, in: project.id) }
    let admission = try gate.admit(&account, isNew: false, secondFactor: factor, now: now)
    // A link shows nothing about the account's other credentials.
    if first.session == nil, !account.hasUnconfirmed(first.provider) {
      account.confirmCredentials()
    }
    return try signIn(
      to: account,
      SignInRequest(
        provider: first.provider, admission: admission, method: first.method, before: before,
        signInAttributes: first.signInAttributes,
        // The user shows the second factor now. But a credential that doesn't show who they are gives no later
        // time than it did.
        authenticatedAt: first.authenticatedAt.flatMap { $0 < first.shownAt ? $0 : nil },
        former: former, language: language),
      in: project, now: now)
  }
}

extension MFAAuthInfo {
  fileprivate init?(_ factor: PresentedFactor) {
    switch factor.method {
    case .phone: self = .phone(number: nil)
    case .totp: self = .totp
    case .recoveryCode, .passkey: return nil
    }
  }
}
