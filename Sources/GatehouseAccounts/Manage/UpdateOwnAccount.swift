package import Foundation
package import GatehouseModel

extension AccountsService {
  /// Changes the caller's own account.
  ///
  /// A new email address or password ends every session, this one too: the answer's tokens are of
  /// a new one.
  ///
  /// - Parameters:
  ///   - consent: What the person agreed to; asked for by a new address.
  ///   - link: For the code by which the holder of a replaced address takes it back; without it
  ///     nobody is sent one.
  /// - Returns: The account and, if the session had to be replaced, the new session's tokens.
  /// - Throws: ``AccountsError/credentialTooOld``, ``AccountsError/emailExists``,
  ///   ``AccountsError/weakPassword``, ``AccountsError/passwordTooLong``,
  ///   ``AccountsError/newEmailUnverified`` for a new address under enumeration protection
  ///   (it has to be confirmed first), ``AccountsError/consentRequired(_:)``,
  ///   ``AccountsError/lastCredential``, and what
  ///   ``caller(ofIDToken:in:now:)`` throws.
  package func update(
    idToken: String, with changes: ProfileChanges, consent: GivenConsent? = nil,
    from client: ClientAddress, link: CodeLink? = nil, in project: Project, now: Date
  ) async throws -> (Account, IssuedTokens?) {
    let facts = try sessions.verify(idToken, in: project, now: now)
    // Before the cost of a hash: is there anybody, and may they?
    let before = try await store.read { try $0.caller(facts, in: project.id) }
    try before.permit(changes, under: project.policies, now: now)
    let hash = try await hashingShares.run(for: client) {
      try await newHash(for: changes.password, in: project)
    }
    let actionCodes = actionCodes
    let (account, session, recovery) = try await store.write {
      transaction -> (Account, Session?, IssuedActionCode?) in
      let caller = try transaction.caller(facts, in: project.id)
      try caller.permit(changes, under: project.policies, now: now)
      var account = caller.account
      let revokes = try transaction.apply(
        changes, hash: hash, to: &account, in: project, now: now)
      try transaction.keepConsent(
        consent, from: caller.account, to: account, in: project, now: now)
      if revokes { try transaction.revokeEverything(of: &account, in: project.id, now: now) }
      try transaction.save(account, in: project.id)
      guard revokes else { return (account, nil, nil) }
      let recovery =
        account.email == caller.account.email
        ? nil
        : try transaction.issueRecovery(
          of: caller.account, by: actionCodes, link: link, in: project.id, now: now)
      let becomesPermanent = caller.account.isAnonymous && account.password != nil
      let signInProvider = becomesPermanent ? .password : caller.session.provider
      let session = try transaction.beginSession(
        of: account, by: signInProvider,
        signInAttributes: caller.session.signInAttributes,
        developerClaims: caller.session.developerClaims,
        authenticatedAt: caller.session.authenticatedAt, in: project.id, now: now)
      return (account, session, recovery)
    }
    await actionCodes.deliver(recovery)
    let tokens = try session.map {
      try sessions.tokens(for: account, $0, in: project, now: now)
    }
    return (account, tokens)
  }

  func newHash(
    for change: Change<Secret<String>>, in project: Project
  ) async throws -> PasswordHash? {
    guard case .set(let password) = change else { return nil }
    try password.checkAsNewPassword(under: project.policies)
    return try await passwords.hash(password)
  }
}

extension Caller {
  fileprivate func permit(
    _ changes: ProfileChanges, under policies: ProjectPolicies, now: Date
  ) throws(AccountsError) {
    guard !changes.email.isKeep || !changes.password.isKeep else { return }
    if case .set = changes.password { try policies.requirePasswords() }
    if case .set(let email) = changes.email {
      try account.permitNewEmail(email, under: policies)
    }
    try session.requireRecentSignIn(under: policies, now: now)
  }
}

extension Account {
  /// Under enumeration protection an address is confirmed by email before it replaces another.
  ///
  /// - Throws: ``AccountsError/newEmailUnverified``.
  func permitNewEmail(
    _ new: EmailAddress, under policies: ProjectPolicies
  ) throws(AccountsError) {
    guard let email, email != new, policies.protectsEmails else { return }
    throw .newEmailUnverified
  }
}
