package import Foundation
package import GatehouseProtocol
import GatehouseTokens

/// `v2/accounts/passkeyEnrollment:start` and `:finalize`: adds a passkey to the account of an ID token; without
/// one, creates an account with a passkey. With `mfaPendingCredential`, the passkey becomes the second factor that
/// the project requires.
struct EnrollPasskey: Endpoint {
  let services: APIServices

  var routes: [Route] {
    let path = "v2/accounts/passkeyEnrollment:"
    return [
      .client(.post, path + "start", "passkeyEnrollment.start", start),
      Route.signIn(at: path + "finalize", "passkeyEnrollment.finalize", finalize),
    ]
  }

  func start(_ call: Call) async throws -> Answer {
    let request = try call.request(StartPasskeyEnrollmentRequest.self)
    let project = try call.requireProject()
    // Google's clients always send an ID token: a request without any member lacks it.
    guard request.idToken == nil, request.pendingCredential == nil,
      request.email != nil || request.displayName != nil
    else {
      return Answer(
        try await services.accounts.startPasskeyEnrollment(
          by: try EnrollingUser(request.idToken, request.pendingCredential), in: project,
          now: call.now))
    }
    let person = try Self.newPerson(request.email, request.displayName)
    return Answer(
      try services.accounts.startPasskeySignUp(
        email: person.email, displayName: person.displayName, in: project, now: call.now))
  }

  func finalize(_ call: Call) async throws -> Answer {
    let request = try call.request(FinalizePasskeyEnrollmentRequest.self)
    let project = try call.requireProject()
    let isSignUp = request.idToken == nil && request.pendingCredential == nil
    guard let credential = request.credential else {
      throw APIError.refused(isSignUp ? .missingIDToken : .missingAuthenticatorResponse)
    }
    // The challenge in the client data says whether the passkey creates an account.
    if isSignUp, credential.clientDataJSON.isEmpty { throw APIError.refused(.missingIDToken) }
    try ProfileBounds.check(displayName: request.name, photoURL: nil)
    var enrollment = try PasskeyEnrollment(credential)
    (enrollment.email, enrollment.displayName) = try Self.newPerson(
      request.email, request.displayName)
    enrollment.name = request.name
    enrollment.client = call.client
    enrollment.language = call.language
    let (result, passkey) = try await services.accounts.finish(
      enrollment,
      by: isSignUp ? nil : try EnrollingUser(request.idToken, request.pendingCredential),
      in: project, now: call.now)
    var response = FinalizePasskeyEnrollmentResponse(
      localID: result.account.uid.text, outcome: FirstFactorOutcome(result))
    response.passkey = PasskeyInfo(passkey)
    response.isNewUser = result.isNewUser
    return Answer(response)
  }

  private static func newPerson(
    _ email: String?, _ displayName: String?
  ) throws -> (email: EmailAddress?, displayName: String?) {
    try ProfileBounds.check(displayName: displayName, photoURL: nil)
    let address = try email.flatMap { text throws(APIError) in
      text.isEmpty ? nil : try EmailAddress(checking: text)
    }
    return (address, displayName.flatMap { $0.isEmpty ? nil : $0 })
  }
}

/// The answer to a registration. Nothing in it is verified.
package struct PasskeyEnrollment: Sendable {
  package let credentialID: [UInt8]
  package let clientDataJSON: [UInt8]
  package let attestationObject: [UInt8]
  package var transports: [String]
  package var name: String?
  /// Of a new account, if they weren't known when the registration began.
  package var email: EmailAddress?
  package var displayName: String?
  package var client = ClientAddress.unknown
  package var language: String?

  package init(
    credentialID: [UInt8], clientDataJSON: [UInt8], attestationObject: [UInt8],
    transports: [String] = []
  ) {
    self.credentialID = credentialID
    self.clientDataJSON = clientDataJSON
    self.attestationObject = attestationObject
    self.transports = transports
  }

  /// - Throws: ``APIError``.
  init(_ credential: FinalizePasskeyEnrollmentRequest.Credential) throws(APIError) {
    guard !credential.id.isEmpty else { throw .refused(.invalidCredentialID) }
    guard !credential.clientDataJSON.isEmpty, !credential.attestationObject.isEmpty else {
      throw .refused(.missingAuthenticatorResponse)
    }
    self.init(
      credentialID: try .init(base64: credential.id, .invalidCredentialID),
      clientDataJSON: try .init(base64: credential.clientDataJSON),
      attestationObject: try .init(base64: credential.attestationObject),
      transports: credential.transports)
  }
}

extension [UInt8] {
  /// Base64 of any form.
  init(
    base64 text: String, _ code: ErrorCode = .invalidAuthenticatorResponse
  ) throws(APIError) {
    guard let bytes = AnyBase64.decode(text) else {
      throw .refused(code, "The base64 can't be read.")
    }
    self = bytes
  }
}

extension AccountsService {
  /// Begins the registration of a passkey for the account.
  ///
  /// - Throws: ``AccountsError/passkeysDisabled``, ``AccountsError/tooManyPasskeys``,
  ///   ``AccountsError/credentialTooOld`` if the project requires a recent sign-in for links, what
  ///   ``currentUser(ofIDToken:in:now:)`` throws, and what
  ///   ``Transaction/account(enrolling:after:in:now:)`` throws.
  package func startPasskeyEnrollment(
    by user: EnrollingUser, in project: Project, now: Date
  ) async throws -> StartPasskeyEnrollmentResponse {
    let party = try project.relyingParty()
    let caller = try EnrollingCaller(user, self, in: project, now: now)
    let (account, passkeys) = try await store.read { transaction in
      let account: Account
      switch caller {
      case .session(let facts):
        let user = try transaction.currentUser(facts, in: project.id)
        try user.requireRecentIfPasskeyIsFactor(under: project.policies, now: now)
        _ = try transaction.confirmsLinks(of: user, in: project, now: now)
        account = user.account
      case .waiting(let first):
        account = try transaction.account(enrolling: .passkey, after: first, in: project, now: now)
      }
      return (account, try transaction.passkeys(of: account, in: project.id))
    }
    guard passkeys.count < Passkey.maximumPerAccount else { throw AccountsError.tooManyPasskeys }
    let handle = passkeys.first?.userHandle ?? Self.newUserHandle()
    let name = account.email?.text ?? account.phoneNumber ?? account.displayName ?? party.name
    var options = StartPasskeyEnrollmentResponse(
      party, userHandle: handle, name: name, displayName: account.displayName,
      challenge: try passkeyChallenges.challenge(
        for: .account(account.uid), userHandle: handle, project: project.id, now: now))
    options.excluded = passkeys.map { PasskeyDescriptor($0) }
    return options
  }

  /// Begins the registration of a passkey that creates an account.
  ///
  /// - Parameter email: The address of the account, unverified. Whether it is taken is checked when the
  ///   account is created.
  /// - Throws: ``AccountsError/passkeysDisabled``, ``AccountsError/adminOnlyOperation`` if the project
  ///   refuses sign-up.
  package func startPasskeySignUp(
    email: EmailAddress?, displayName: String?, in project: Project, now: Date
  ) throws -> StartPasskeyEnrollmentResponse {
    let party = try project.relyingParty()
    if project.policies.refusesSignUp { throw AccountsError.adminOnlyOperation }
    let handle = Self.newUserHandle()
    return StartPasskeyEnrollmentResponse(
      party, userHandle: handle, name: email?.text ?? displayName ?? party.name,
      displayName: displayName,
      challenge: try passkeyChallenges.challenge(
        for: .newAccount(email: email, displayName: displayName), userHandle: handle,
        project: project.id, now: now))
  }

  /// Adds the passkey to the account of the user, or creates the account for which the registration
  /// began. The returned session begins with the passkey.
  ///
  /// A passkey that an old session adds is unconfirmed, as an identity is. Its session has the
  /// authentication time of the session that added it: a new passkey doesn't show that the caller is the
  /// account's user.
  ///
  /// - Parameter user: Nil for a new account.
  /// - Throws: ``AccountsError/authenticatorResponse(_:)``, ``AccountsError/passkeyInUse``,
  ///   ``AccountsError/passkeysDisabled``, ``AccountsError/tooManyPasskeys``,
  ///   ``AccountsError/credentialTooOld``, ``AccountsError/idTokenMissing``,
  ///   ``AccountsError/blockedByFunction(_:)``, ``AccountsError/userDisabled``, what
  ///   ``currentUser(ofIDToken:in:now:)`` throws, and what
  ///   ``Transaction/account(enrolling:after:in:now:)`` throws; for a new account
  ///   ``AccountsError/emailExists``, ``AccountsError/adminOnlyOperation``, ``AccountsError/tooManyAttempts``.
  package func finish(
    _ enrollment: PasskeyEnrollment, by user: EnrollingUser?, in project: Project, now: Date
  ) async throws -> (SignInResult, Passkey) {
    let caller = try user.map { try EnrollingCaller($0, self, in: project, now: now) }
    let registration = try verify(enrollment, isSignUp: user == nil, in: project, now: now)
    let context = BlockingContext(
      method: caller?.firstFactor?.method ?? ProviderID.passkey.text, client: enrollment.client,
      language: enrollment.language)
    let ending: SignInEnding
    switch (registration.purpose, caller) {
    case (.account(let uid), let caller?):
      guard caller.uid == uid else { throw AccountsError.authenticatorResponse(.otherAccount) }
      let notices = notices
      ending = try await write(asking: context, in: project, now: now) { transaction, gate in
        let adding = AddingPasskey(
          transaction: transaction, registration: registration, notices: notices, gate: gate,
          language: enrollment.language, project: project, now: now)
        return switch caller {
        case .session(let facts): try adding.toAccount(ofSession: facts)
        case .waiting(let first): try adding.asRequiredFactor(after: first)
        }
      }
    case (.newAccount(var email, var displayName), nil):
      if project.policies.refusesSignUp { throw AccountsError.adminOnlyOperation }
      email = email ?? enrollment.email
      displayName = displayName ?? enrollment.displayName
      let limiter = RateLimiter.signUp(
        from: enrollment.client, under: project.policies.rateLimits)
      ending = try await write(
        asking: context, countedBy: limiter, in: project, now: now
      ) { [email, displayName] transaction, gate in
        try transaction.spend(registration, in: project.id)
        if let email, try transaction.account(email: email, in: project.id) != nil {
          throw AccountsError.emailExists
        }
        var account = Account(uid: gate.newUID, createdAt: now)
        account.email = email
        account.displayName = displayName
        // The user has just shown the passkey, with PIN or biometrics.
        let admission = try gate.admit(
          &account, isNew: true,
          secondFactor: registration.isUserVerified ? registration.passkey.asSecondFactor : nil,
          now: now)
        account.passkeys.all = 1
        let ending = try transaction.signIn(
          to: account,
          SignInRequest(
            provider: .passkey, admission: admission, method: gate.context.method,
            language: enrollment.language),
          in: project, now: now)
        try transaction.insert(registration.passkey, of: account.uid, in: project.id)
        return ending
      }
    case (.account, nil): throw AccountsError.idTokenMissing
    case (.newAccount, _?): throw AccountsError.authenticatorResponse(.otherAccount)
    }
    return (try result(of: ending, in: project, now: now), registration.passkey)
  }

  private func verify(
    _ enrollment: PasskeyEnrollment, isSignUp: Bool, in project: Project, now: Date
  ) throws(AccountsError) -> VerifiedRegistration {
    let party = try project.relyingParty()
    do throws(WebAuthnFault) {
      let challenge = try ClientData.challenge(in: enrollment.clientDataJSON)
      let (purpose, handle, spending) = try passkeyChallenges.registration(
        in: challenge, project: project.id, now: now)
      let created = try PasskeyCeremony(challenge: challenge, relyingParty: party)
        .verifyRegistration(
          id: enrollment.credentialID, clientDataJSON: enrollment.clientDataJSON,
          attestationObject: enrollment.attestationObject)
      return VerifiedRegistration(
        purpose: purpose,
        passkey: Passkey(
          created, name: enrollment.name ?? Passkey.defaultName,
          transports: enrollment.transports, userHandle: handle, now: now),
        isUserVerified: created.flags.contains(.userVerified), spending: spending)
    } catch {
      if isSignUp, error == .clientData { throw .idTokenMissing }
      throw .authenticatorResponse(error)
    }
  }

  private static func newUserHandle() -> [UInt8] {
    var generator = SystemRandomNumberGenerator()
    return generator.bytes(Passkey.userHandleBytes)
  }
}

/// A registration whose challenge, origin and flags are verified.
private struct VerifiedRegistration: Sendable {
  let purpose: PasskeyChallengeCodec.Registration
  let passkey: Passkey
  /// The authenticator has checked a PIN or biometrics.
  let isUserVerified: Bool
  let spending: SingleUseToken
}

/// The transaction that adds a passkey to an account.
private struct AddingPasskey {
  let transaction: Transaction
  let registration: VerifiedRegistration
  let notices: AccountNotices
  let gate: BlockingGate
  let language: String?
  let project: Project
  let now: Date

  func toAccount(ofSession facts: IDTokenFacts) throws -> SignInEnding {
    let user = try transaction.currentUser(facts, in: project.id)
    try user.requireRecentIfPasskeyIsFactor(under: project.policies, now: now)
    let isConfirmed = try transaction.confirmsLinks(of: user, in: project, now: now)
    var account = user.account
    var passkey = registration.passkey
    passkey.unconfirmedSince = isConfirmed ? nil : user.session.authenticatedAt.wholeMilliseconds
    try permit(in: account)
    let admission = try gate.admit(
      &account, isNew: false, secondFactor: user.session.secondFactor, now: now)
    try add(passkey, to: &account)
    return try transaction.signIn(
      to: account,
      SignInRequest(
        provider: .passkey, admission: admission, method: gate.context.method,
        before: user.account,
        authenticatedAt: user.isGuest ? now : user.session.authenticatedAt, former: user.session,
        language: language),
      in: project, now: now)
  }

  func asRequiredFactor(after first: FirstFactor) throws -> SignInEnding {
    let before = try transaction.account(enrolling: .passkey, after: first, in: project, now: now)
    guard let factor = registration.passkey.asSecondFactor else {
      throw AccountsError.invalidPendingCredential
    }
    var account = before
    try permit(in: account)
    try add(registration.passkey, to: &account)
    return try transaction.signIn(
      to: account, replacing: before, after: first, with: factor, gate, language: language,
      in: project, now: now)
  }

  private func permit(in account: Account) throws {
    guard account.passkeys.all < Passkey.maximumPerAccount else {
      throw AccountsError.tooManyPasskeys
    }
    try transaction.spend(registration, in: project.id)
    // Two registrations of an account's first passkey may have begun at the same time.
    if let other = try transaction.passkeys(of: account, in: project.id).first,
      other.userHandle != registration.passkey.userHandle
    {
      throw AccountsError.authenticatorResponse(.userHandle)
    }
  }

  private func add(_ passkey: Passkey, to account: inout Account) throws {
    let before = account
    try transaction.add(passkey, to: &account, in: project.id)
    try notices.add(
      .passkeyAdded, to: before, language: language, in: project, transaction, now: now)
  }
}

extension CurrentUser {
  /// A passkey counts as both factors. In an account that has to show two, an old session, or one without the second
  /// factor, must not add one: the user's next sign-in would confirm it.
  ///
  /// - Throws: ``AccountsError/credentialTooOld``.
  fileprivate func requireRecentIfPasskeyIsFactor(
    under policies: ProjectPolicies, now: Date
  ) throws(AccountsError) {
    guard !isGuest, policies.secondFactors.demandsFactor(of: account, now: now) else { return }
    try requireRecentSignIn(under: policies, now: now)
  }
}

extension Transaction {
  /// Uses up the challenge of a registration.
  ///
  /// - Throws: ``AccountsError/authenticatorResponse(_:)`` if it was used before, and
  ///   ``AccountsError/passkeyInUse`` if the project has a passkey with the credential id (WebAuthn §7.1:
  ///   "Verify that the credentialId is not yet registered for any user").
  fileprivate func spend(_ registration: VerifiedRegistration, in project: ProjectID) throws {
    guard try spend(registration.spending, in: project) else {
      throw AccountsError.authenticatorResponse(.challengeUsed)
    }
    guard try passkey(registration.passkey.credentialID, in: project) == nil else {
      throw AccountsError.passkeyInUse
    }
  }
}

extension StartPasskeyEnrollmentResponse {
  fileprivate init(
    _ party: RelyingParty, userHandle: [UInt8], name: String, displayName: String?,
    challenge: [UInt8]
  ) {
    self.init(
      relyingPartyID: party.id, relyingPartyName: party.name, userID: userHandle, userName: name,
      userDisplayName: displayName ?? name, challenge: challenge)
    algorithms = COSEAlgorithm.allCases.map(\.rawValue)
    userVerification = party.userVerification
  }
}

extension RelyingParty {
  var userVerification: String { requiresUserVerification ? "required" : "preferred" }
}

extension PasskeyDescriptor {
  init(_ passkey: Passkey) {
    self.init(id: passkey.credentialID, transports: passkey.transports)
  }
}
