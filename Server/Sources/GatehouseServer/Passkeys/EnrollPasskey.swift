package import Foundation
package import GatehouseProtocol
import GatehouseTokens

/// `v2/accounts/passkeyEnrollment:start` and `:finalize`: adds a passkey to the account of an ID token; without
/// one, creates an account with a passkey.
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
    guard let idToken = request.idToken else { return try startSignUp(request, project, call) }
    return Answer(
      try await services.accounts.startPasskeyEnrollment(
        idToken: idToken, in: project, now: call.now))
  }

  private func startSignUp(
    _ request: StartPasskeyEnrollmentRequest, _ project: Project, _ call: Call
  ) throws -> Answer {
    // Google's clients always send an ID token: a request without any member lacks it.
    guard request.email != nil || request.displayName != nil else {
      throw APIError.refused(.missingIDToken)
    }
    try ProfileBounds.check(displayName: request.displayName, photoURL: nil)
    let email = try request.email.flatMap { text throws(APIError) in
      text.isEmpty ? nil : try EmailAddress(checking: text)
    }
    let displayName = request.displayName.flatMap { $0.isEmpty ? nil : $0 }
    return Answer(
      try services.accounts.startPasskeySignUp(
        email: email, displayName: displayName, in: project, now: call.now))
  }

  func finalize(_ call: Call) async throws -> Answer {
    let request = try call.request(FinalizePasskeyEnrollmentRequest.self)
    let project = try call.requireProject()
    guard let credential = request.credential else {
      throw APIError.refused(
        request.idToken == nil ? .missingIDToken : .missingAuthenticatorResponse)
    }
    // The challenge in the client data says whether the passkey creates an account.
    if request.idToken == nil, credential.clientDataJSON.isEmpty {
      throw APIError.refused(.missingIDToken)
    }
    try ProfileBounds.check(displayName: request.name ?? request.displayName, photoURL: nil)
    var enrollment = try PasskeyEnrollment(credential)
    enrollment.name = request.name ?? request.displayName
    enrollment.client = call.client
    enrollment.language = call.language
    let (result, passkey) = try await services.accounts.finish(
      enrollment, idToken: request.idToken, in: project, now: call.now)
    var response = FinalizePasskeyEnrollmentResponse(
      localID: result.account.uid.text, outcome: FirstFactorOutcome(result))
    response.passkey = PasskeyInfo(passkey)
    response.isNewUser = result.isNewUser
    return Answer(response)
  }
}

/// The answer to a registration. Nothing in it is verified.
package struct PasskeyEnrollment: Sendable {
  package let credentialID: [UInt8]
  package let clientDataJSON: [UInt8]
  package let attestationObject: [UInt8]
  package var transports: [String]
  package var name: String?
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
  ///   ``AccountsError/credentialTooOld`` if the project requires a recent sign-in for links, and what
  ///   ``currentUser(ofIDToken:in:now:)`` throws.
  package func startPasskeyEnrollment(
    idToken: String, in project: Project, now: Date
  ) async throws -> StartPasskeyEnrollmentResponse {
    let party = try project.relyingParty()
    let facts = try sessions.verify(idToken, in: project, now: now)
    let (account, passkeys) = try await store.read { transaction in
      let user = try transaction.currentUser(facts, in: project.id)
      try user.requireRecentIfPasskeyIsFactor(under: project.policies, now: now)
      _ = try transaction.confirmsLinks(of: user, in: project, now: now)
      return (user.account, try transaction.passkeys(of: user.account, in: project.id))
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

  /// Adds the passkey to the account of the ID token, or creates the account for which the registration
  /// began. The returned session begins with the passkey.
  ///
  /// A passkey that an old session adds is unconfirmed, as an identity is. Its session has the
  /// authentication time of the session that added it: a new passkey doesn't show that the caller is the
  /// account's user.
  ///
  /// - Parameter idToken: Nil for a new account.
  /// - Throws: ``AccountsError/authenticatorResponse(_:)``, ``AccountsError/passkeyInUse``,
  ///   ``AccountsError/passkeysDisabled``, ``AccountsError/tooManyPasskeys``,
  ///   ``AccountsError/credentialTooOld``, ``AccountsError/idTokenMissing``,
  ///   ``AccountsError/blockedByFunction(_:)``, ``AccountsError/userDisabled``, what
  ///   ``currentUser(ofIDToken:in:now:)`` throws; for a new account ``AccountsError/emailExists``,
  ///   ``AccountsError/adminOnlyOperation``, ``AccountsError/tooManyAttempts``.
  package func finish(
    _ enrollment: PasskeyEnrollment, idToken: String?, in project: Project, now: Date
  ) async throws -> (SignInResult, Passkey) {
    let party = try project.relyingParty()
    let facts = try idToken.map { try sessions.verify($0, in: project, now: now) }
    let limiter =
      facts == nil
      ? RateLimiter.signUp(from: enrollment.client, under: project.policies.rateLimits) : .none
    let registration: PasskeyChallengeCodec.Registration
    let handle: [UInt8]
    let spending: SingleUseToken
    let created: CreatedCredential
    do throws(WebAuthnFault) {
      let challenge = try ClientData.challenge(in: enrollment.clientDataJSON)
      (registration, handle, spending) = try passkeyChallenges.registration(
        in: challenge, project: project.id, now: now)
      created = try PasskeyCeremony(challenge: challenge, relyingParty: party).verifyRegistration(
        id: enrollment.credentialID, clientDataJSON: enrollment.clientDataJSON,
        attestationObject: enrollment.attestationObject)
    } catch {
      if idToken == nil, error == .clientData { throw AccountsError.idTokenMissing }
      throw AccountsError.authenticatorResponse(error)
    }
    let added = Passkey(
      created, name: enrollment.name ?? Passkey.defaultName, transports: enrollment.transports,
      userHandle: handle, now: now)
    let notices = notices
    let context = BlockingContext(
      method: ProviderID.passkey.text, client: enrollment.client, language: enrollment.language)
    switch (registration, facts) {
    case (.account(let uid), let facts?):
      guard facts.uid == uid else { throw AccountsError.authenticatorResponse(.otherAccount) }
      let ending = try await write(asking: context, in: project, now: now) { transaction, gate in
        let user = try transaction.currentUser(facts, in: project.id)
        try user.requireRecentIfPasskeyIsFactor(under: project.policies, now: now)
        let isConfirmed = try transaction.confirmsLinks(of: user, in: project, now: now)
        var account = user.account
        guard account.passkeys.all < Passkey.maximumPerAccount else {
          throw AccountsError.tooManyPasskeys
        }
        try transaction.spend(spending, refusing: added, in: project.id)
        // Two registrations of an account's first passkey may have begun at the same time.
        if let other = try transaction.passkeys(of: account, in: project.id).first,
          other.userHandle != handle
        {
          throw AccountsError.authenticatorResponse(.userHandle)
        }
        var stored = added
        stored.unconfirmedSince =
          isConfirmed ? nil : user.session.authenticatedAt.wholeMilliseconds
        let admission = try gate.admit(
          &account, isNew: false, secondFactor: user.session.secondFactor, now: now)
        try transaction.add(stored, to: &account, in: project.id)
        try notices.add(
          .passkeyAdded, to: user.account, language: enrollment.language, in: project,
          transaction, now: now)
        return try transaction.signIn(
          to: account,
          SignInRequest(
            provider: .passkey, admission: admission, method: gate.context.method,
            before: user.account,
            authenticatedAt: user.isGuest ? now : user.session.authenticatedAt,
            former: user.session, language: enrollment.language),
          in: project, now: now)
      }
      return (try result(of: ending, in: project, now: now), added)
    case (.newAccount(let email, let displayName), nil):
      if project.policies.refusesSignUp { throw AccountsError.adminOnlyOperation }
      let ending = try await write(
        asking: context, countedBy: limiter, in: project, now: now
      ) { transaction, gate in
        try transaction.spend(spending, refusing: added, in: project.id)
        if let email, try transaction.account(email: email, in: project.id) != nil {
          throw AccountsError.emailExists
        }
        var account = Account(uid: gate.newUID, createdAt: now)
        account.email = email
        account.displayName = displayName
        // The user has just shown the passkey, with PIN or biometrics.
        let admission = try gate.admit(
          &account, isNew: true,
          secondFactor: created.flags.contains(.userVerified) ? added.asSecondFactor : nil,
          now: now)
        account.passkeys.all = 1
        let ending = try transaction.signIn(
          to: account,
          SignInRequest(
            provider: .passkey, admission: admission, method: gate.context.method,
            language: enrollment.language),
          in: project, now: now)
        try transaction.insert(added, of: account.uid, in: project.id)
        return ending
      }
      return (try result(of: ending, in: project, now: now), added)
    case (.account, nil): throw AccountsError.idTokenMissing
    case (.newAccount, _?): throw AccountsError.authenticatorResponse(.otherAccount)
    }
  }

  private static func newUserHandle() -> [UInt8] {
    var generator = SystemRandomNumberGenerator()
    return generator.bytes(Passkey.userHandleBytes)
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
  fileprivate func spend(
    _ challenge: SingleUseToken, refusing passkey: Passkey, in project: ProjectID
  ) throws {
    guard try spend(challenge, in: project) else {
      throw AccountsError.authenticatorResponse(.challengeUsed)
    }
    guard try self.passkey(passkey.credentialID, in: project) == nil else {
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
