package import Foundation
package import GatehouseProtocol

/// `accounts:signUp` (v3 `signupNewUser`) of a client: creates an anonymous account or one with a
/// password, or adds a password to the signed-in account. `photoUrl` is ignored, as in Google's
/// service. ``CreateAccount`` handles an administrator's request.
struct SignUp: Endpoint {
  let services: APIServices
  let links: ActionLinks

  var routes: [Route] {
    Route.signIn("signUp", v3: "signupNewUser", answer)
  }

  func answer(_ call: Call) async throws -> Answer {
    if call.isAdministrator { return try await CreateAccount(services: services).answer(call) }
    let request = try call.request(SignUpRequest.self)
    if request.localID != nil { throw APIError.refused(.unexpectedParameter, "User ID") }
    if request.hasSecondFactor {
      throw APIError.refused(.operationNotAllowed, "Only an administrator sets mfaInfo.")
    }
    try ProfileBounds.check(displayName: request.displayName, photoURL: nil)
    let signedIn = try await signUp(request, try call.requireProject(), call)
    var response = SignUpResponse(localID: signedIn.account.uid.text)
    response.email = signedIn.account.email?.text
    response.displayName = signedIn.account.displayName
    response.tokens = signedIn.issuedTokens
    response.secondFactor = signedIn.pendingFactor
    return Answer(response)
  }

  private func signUp(
    _ request: SignUpRequest, _ project: Project, _ call: Call
  ) async throws -> SignInResult {
    let isEmpty = { (text: String?) in text?.isEmpty ?? true }
    if request.idToken == nil, isEmpty(request.email), isEmpty(request.password) {
      // An empty form isn't a request for an anonymous account.
      if request.email != nil { throw APIError.refused(.invalidEmail) }
      if request.password != nil { throw APIError.refused(.missingEmail) }
      return .signedIn(
        try await services.accounts.signUpAnonymously(
          from: call.client, language: call.language, in: project, now: call.now))
    }
    guard let text = request.email, !text.isEmpty else { throw APIError.refused(.missingEmail) }
    guard let password = request.password, !password.isEmpty else {
      throw APIError.refused(.missingPassword)
    }
    let email = try EmailAddress(checking: text)
    if let idToken = request.idToken {
      return try await services.accounts.upgrade(
        idToken: idToken, email: email, password: Secret(password),
        displayName: request.displayName,
        consent: try request.consent.map { try GivenConsent(checking: $0) }, from: call.client,
        link: try await links.maker(for: call), in: project, now: call.now)
    }
    return try await services.accounts.signUp(
      email: email, password: Secret(password), displayName: request.displayName, from: call.client,
      language: call.language, in: project, now: call.now)
  }
}

extension EmailAddress {
  /// - Throws: ``APIError`` with `INVALID_EMAIL`.
  init(checking text: String) throws(APIError) {
    guard let address = EmailAddress(text) else { throw .refused(.invalidEmail) }
    self = address
  }
}

extension ProjectPolicies {
  /// - Throws: ``AccountsError/adminOnlyOperation`` if the project doesn't allow anonymous accounts or
  ///   sign-up.
  func checkAnonymousSignUp() throws(AccountsError) {
    guard allowsAnonymous, !refusesSignUp else { throw .adminOnlyOperation }
  }
}

extension AccountsService {
  /// Creates an anonymous account. Only its session gives access to it. As in Firebase, no blocking
  /// function is called.
  ///
  /// - Throws: ``AccountsError/adminOnlyOperation`` if the project doesn't allow anonymous accounts
  ///   or sign-up, ``AccountsError/tooManyAttempts``.
  package func signUpAnonymously(
    from client: ClientAddress, language: String? = nil, in project: Project, now: Date
  ) async throws -> SignedIn {
    try project.policies.checkAnonymousSignUp()
    let limiter = RateLimiter.signUp(from: client, under: project.policies.rateLimits)
    let (account, session) = try await write(countedBy: limiter, in: project, now: now) {
      transaction in
      var account = Account(uid: .random(), createdAt: now)
      account.recordSignIn(language: language, now: now)
      try transaction.save(account, replacing: nil, in: project.id, now: now)
      let session = try transaction.beginSession(
        of: account, by: .anonymous, admission: .notNeeded, in: project, now: now)
      return (account, session)
    }
    return SignedIn(
      account: account, session: session,
      tokens: try sessions.tokens(for: account, session, in: project, now: now), isNewUser: true)
  }

  /// Creates an account with an email address and a password.
  ///
  /// - Throws: ``AccountsError/emailExists``, ``AccountsError/weakPassword``,
  ///   ``AccountsError/passwordTooLong``, ``AccountsError/passwordRequirements(_:)``,
  ///   ``AccountsError/passwordsDisabled``, ``AccountsError/adminOnlyOperation``,
  ///   ``AccountsError/tooManyAttempts``, ``AccountsError/blockedByFunction(_:)``,
  ///   ``AccountsError/userDisabled`` if a blocking function disabled the new account,
  ///   ``AccountsError/overloaded``.
  package func signUp(
    email: EmailAddress, password: Secret<String>, displayName: String?,
    from client: ClientAddress, language: String? = nil, in project: Project, now: Date
  ) async throws -> SignInResult {
    if project.policies.refusesSignUp { throw AccountsError.adminOnlyOperation }
    let limiter = RateLimiter.signUp(from: client, under: project.policies.rateLimits)
    try await store.read { try limiter.check($0, in: project.id, now: now) }
    let hash = try await newPassword(
      password, of: email, nil, from: client, in: project, now: now)
    let context = BlockingContext(
      method: ProviderID.password.text, client: client, language: language)
    let ending = try await write(asking: context, countedBy: limiter, in: project, now: now) {
      transaction, gate in
      if try transaction.account(email: email, in: project.id) != nil {
        throw AccountsError.emailExists
      }
      var account = Account(uid: gate.newUID, createdAt: now)
      account.email = email
      account.displayName = displayName
      account.setPassword(hash, now: now)
      let admission = try gate.admit(&account, isNew: true, now: now)
      return try transaction.signIn(
        to: account,
        SignInRequest(
          provider: .password, admission: admission, method: gate.context.method,
          language: language), in: project, now: now)
    }
    return try result(of: ending, in: project, now: now)
  }

  /// Gives a signed-in account an address and a password. This makes an anonymous account permanent.
  ///
  /// All earlier sessions of the account end, and a verified address gets a notice, as with every new
  /// password. As in Firebase, no blocking function is called.
  ///
  /// - Parameter link: As in ``update(idToken:with:consent:from:link:in:now:)``.
  /// - Throws: ``AccountsError/emailExists``, ``AccountsError/weakPassword``,
  ///   ``AccountsError/passwordTooLong``, ``AccountsError/passwordRequirements(_:)``,
  ///   ``AccountsError/passwordsDisabled``, ``AccountsError/tooManyAttempts``,
  ///   ``AccountsError/overloaded``, and what ``currentUser(ofIDToken:in:now:)`` throws; for an account
  ///   that isn't anonymous also ``AccountsError/credentialTooOld``, and under enumeration protection
  ///   ``AccountsError/newEmailUnverified``, as in ``update(idToken:with:consent:from:link:in:now:)``;
  ///   ``AccountsError/consentRequired(_:)`` if the address would be joined to other parts of the account
  ///   without the user's consent.
  package func upgrade(
    idToken: String, email: EmailAddress, password: Secret<String>, displayName: String?,
    consent: GivenConsent? = nil, from client: ClientAddress,
    link: CodeLink? = nil, in project: Project, now: Date
  ) async throws -> SignInResult {
    let facts = try sessions.verify(idToken, in: project, now: now)
    let limiter = RateLimiter.signUp(from: client, under: project.policies.rateLimits)
    // Checks the caller and the permission before it hashes a password, which is costly.
    let uid = try await store.read { transaction in
      let user = try transaction.currentUser(facts, in: project.id)
      try user.permitUpgrade(to: email, under: project.policies, now: now)
      try limiter.check(transaction, in: project.id, now: now)
      return user.account.uid
    }
    let hash = try await newPassword(
      password, of: email, uid, from: client, in: project, now: now)
    let (actionCodes, notices) = (actionCodes, notices)
    let (ending, recovery) = try await write(countedBy: limiter, in: project, now: now) {
      transaction -> (SignInEnding, IssuedActionCode?) in
      let user = try transaction.currentUser(facts, in: project.id)
      var account = user.account
      try user.permitUpgrade(to: email, under: project.policies, now: now)
      if let owner = try transaction.account(email: email, in: project.id),
        owner.uid != account.uid
      {
        throw AccountsError.emailExists
      }
      var recovery: IssuedActionCode?
      if account.email != email {
        recovery = try transaction.issueRecovery(
          of: account, replacedBy: email, by: actionCodes, link: link, in: project.id, now: now)
        try transaction.releaseCodesOfFormerAddress(of: account.uid, in: project.id)
        account.replaceEmail(by: email)
      }
      account.displayName = displayName ?? account.displayName
      if displayName != nil { account.assignedFields.remove(.displayName) }
      try transaction.keepConsent(
        consent, from: user.account, to: account, in: project, now: now)
      try transaction.revokeEverything(of: &account, in: project.id, now: now)
      account.setPassword(hash, now: now)
      account.recordSignIn(language: link?.language, now: now)
      try transaction.save(account, replacing: user.account, in: project.id, now: now)
      // To the former address: an attacker may have given the account a new one.
      try notices.add(
        .passwordChanged, to: user.account, language: link?.language, in: project, transaction,
        now: now)
      if user.isGuest, project.policies.secondFactors.demandsFactor(of: account, now: now) {
        let first = FirstFactor(
          uid: account.uid, createdAt: account.createdAt, provider: .password,
          method: ProviderID.password.text, shownAt: now.wholeMilliseconds)
        return (.secondFactorNeeded(account, first), recovery)
      }
      // A new password doesn't show that the caller is the account's user. But an anonymous account
      // has no other credential.
      let session = try transaction.beginSession(
        of: account, by: .password, admission: .notNeeded,
        authenticatedAt: user.isGuest ? now : user.session.authenticatedAt,
        replacing: user.session, in: project, now: now)
      return (.session(account, session, isNew: false), recovery)
    }
    await actionCodes.show(recovery)
    return try result(of: ending, in: project, now: now)
  }

  /// Checks and hashes a password, with or without a new address in the same request.
  ///
  /// - Parameter uid: The account that may have the address already.
  /// - Throws: ``AccountsError/passwordsDisabled``, ``AccountsError/weakPassword``,
  ///   ``AccountsError/passwordTooLong``, ``AccountsError/passwordRequirements(_:)``,
  ///   ``AccountsError/overloaded``. If the password has a fault and the address is taken, throws
  ///   ``AccountsError/emailExists``, as Firebase's service does. This check counts as a sign-up, like
  ///   every response that reveals whether an address is taken.
  func newPassword(
    _ password: Secret<String>, of email: EmailAddress?, _ uid: UID?, from client: ClientAddress,
    in project: Project, now: Date
  ) async throws -> PasswordHash {
    try project.policies.requirePasswords()
    do throws(AccountsError) {
      try password.checkAsNewPassword(under: project.policies)
    } catch {
      guard let email else { throw error }
      let limiter = RateLimiter.signUp(from: client, under: project.policies.rateLimits)
      let owner = try await write(countedBy: limiter, in: project, now: now) { transaction in
        try transaction.account(email: email, in: project.id)?.uid
      }
      throw owner == nil || owner == uid ? error : .emailExists
    }
    return try await hashingShares.run(for: client, in: project.id) {
      try await passwords.hash(password)
    }
  }
}

extension CurrentUser {
  /// Checks that the account may get an address and a password.
  fileprivate func permitUpgrade(
    to email: EmailAddress, under policies: ProjectPolicies, now: Date
  ) throws(AccountsError) {
    if !isGuest { try requireRecentSignIn(under: policies, now: now) }
    if account.email != nil { try account.permitNewEmail(email, under: policies) }
  }
}

extension Account {
  fileprivate mutating func setPassword(_ hash: PasswordHash, now: Date) {
    password = hash
    passwordUpdatedAt = now
  }
}

extension UID {
  static func random() -> UID {
    var generator = SystemRandomNumberGenerator()
    return UID(using: &generator)
  }
}
