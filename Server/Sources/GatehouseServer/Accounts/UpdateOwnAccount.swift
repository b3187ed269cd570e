package import Foundation
package import GatehouseProtocol

extension AccountsService {
  /// Changes the caller's own account.
  ///
  /// A new email address or password ends every session, the caller's too: the returned tokens are
  /// of a new session. A new address counts as a sign-up from the client address, even if it is
  /// rejected: a response that the address is taken reveals as much as the same response to a sign-up.
  /// Unlinking, and changes of the address or the password, need a recent sign-in. The last credential can't
  /// be removed with a passkey.
  ///
  /// - Parameters:
  ///   - consent: What the user agreed to; needed for a new address if the project's policy requires
  ///     consent.
  ///   - link: Builds the link of the recovery code that is sent to a replaced address. If nil, no
  ///     code is sent.
  /// - Returns: The account and, if the session had to be replaced, the new session's tokens. With
  ///   ``ProfileChanges/revokesTokens`` alone, tokens are returned only after a recent sign-in.
  /// - Throws: ``AccountsError/credentialTooOld``, ``AccountsError/emailExists``,
  ///   ``AccountsError/weakPassword``, ``AccountsError/passwordTooLong``,
  ///   ``AccountsError/passwordRequirements(_:)``, ``AccountsError/passwordsDisabled``,
  ///   ``AccountsError/newEmailUnverified`` if enumeration protection requires that the new address is
  ///   verified first, ``AccountsError/consentRequired(_:)``, ``AccountsError/lastCredential``,
  ///   ``AccountsError/tooManyAttempts``, ``AccountsError/missingEmail`` for a password on an
  ///   account without an address, ``AccountsError/overloaded``, and what
  ///   ``currentUser(ofIDToken:in:now:)`` throws.
  package func update(
    idToken: String, with changes: ProfileChanges, consent: GivenConsent? = nil,
    from client: ClientAddress, link: CodeLink? = nil, in project: Project, now: Date
  ) async throws -> (Account, SessionTokens?) {
    let facts = try sessions.verify(idToken, in: project, now: now)
    // Checks the caller and the permission before it hashes a password, which is costly.
    let limiter = RateLimiter.signUp(from: client, under: project.policies.rateLimits)
    let before = try await store.read { transaction in
      let user = try transaction.currentUser(facts, in: project.id)
      if changes.newEmail(of: user.account) != nil {
        try limiter.check(transaction, in: project.id, now: now)
      }
      return user
    }
    try before.permit(changes, under: project.policies, now: now)
    let newEmail = changes.newEmail(of: before.account)
    let hash: PasswordHash? =
      if case .set(let password) = changes.password {
        try await newPassword(
          password, of: newEmail, before.account.uid, from: client, in: project, now: now)
      } else { nil }
    let (actionCodes, notices) = (actionCodes, notices)
    let (account, session, recovery) = try await write(
      countedBy: newEmail == nil ? RateLimiter.none : limiter, in: project, now: now
    ) { transaction -> (Account, Session?, IssuedActionCode?) in
      let user = try transaction.currentUser(facts, in: project.id)
      try user.permit(changes, under: project.policies, now: now)
      var account =
        changes.revokesTokens
        ? try transaction.beforeEndingOthers(user, in: project, now: now) : user.account
      let isChanged = try transaction.apply(
        changes, hash: hash, to: &account, in: project, now: now)
      if user.isGuest, account.hasCredential,
        project.policies.secondFactors.demandsFactor(of: account, now: now)
      {
        // This response can't ask for one. `signUp` with the ID token, or a link, can.
        throw AccountsError.secondFactorRequired
      }
      let removesPasskey = account.passkeys.all < user.account.passkeys.all
      if removesPasskey && !account.hasCredential { throw AccountsError.lastCredential }
      try transaction.endSessions(
        ofRemovedCredentials: user.account, account, except: user.session.id, in: project.id,
        now: now)
      let revokes = isChanged || changes.revokesTokens
      try transaction.keepConsent(
        consent, from: user.account, to: account, in: project, now: now)
      if account.email != user.account.email {
        try transaction.releaseCodesOfFormerAddress(of: account.uid, in: project.id)
      }
      if revokes { try transaction.revokeEverything(of: &account, in: project.id, now: now) }
      try transaction.save(account, replacing: user.account, in: project.id, now: now)
      if hash != nil {
        try notices.add(
          .passwordChanged, to: user.account, language: link?.language, in: project, transaction,
          now: now)
      }
      if removesPasskey {
        try notices.add(
          .passkeyRemoved, to: user.account, language: link?.language, in: project, transaction,
          now: now)
      }
      guard revokes else { return (account, nil, nil) }
      if !isChanged {
        // Any caller may end every session. But a caller with a stolen token must not get a new
        // session in exchange.
        do throws(AccountsError) {
          try user.requireRecentSignIn(under: project.policies, now: now)
        } catch {
          return (account, nil, nil)
        }
      }
      let recovery =
        account.email == user.account.email
        ? nil
        : try transaction.issueRecovery(
          of: user.account, replacedBy: account.email, by: actionCodes, link: link, in: project.id,
          now: now)
      // As in Firebase, a session that begins with a new password is one of the password.
      let keepsProvider = hash == nil
      let session = try transaction.beginSession(
        of: account, by: keepsProvider ? user.session.provider : .password, admission: .notNeeded,
        signInAttributes: keepsProvider ? user.session.signInAttributes : nil,
        authenticatedAt: user.session.authenticatedAt, replacing: user.session, in: project,
        now: now)
      return (account, session, recovery)
    }
    await actionCodes.show(recovery)
    let tokens = try session.map {
      try sessions.tokens(for: account, $0, in: project, now: now)
    }
    return (account, tokens)
  }
}

extension ProfileChanges {
  /// The new address, if it differs from the account's.
  fileprivate func newEmail(of account: Account) -> EmailAddress? {
    guard case .set(let email) = email, email != account.email else { return nil }
    return email
  }
}

extension CurrentUser {
  fileprivate func permit(
    _ changes: ProfileChanges, under policies: ProjectPolicies, now: Date
  ) throws(AccountsError) {
    guard
      !changes.email.isKeep || !changes.password.isKeep || !changes.unlinkedProviders.isEmpty
        || !changes.removedPasskeys.isEmpty
    else { return }
    if case .set = changes.password {
      try policies.requirePasswords()
      // Without an address the password couldn't be used, but the account would count as permanent.
      if changes.email.applied(to: account.email) == nil { throw .missingEmail }
    }
    switch changes.email {
    case .keep: break
    case .set(let email): try account.permitNewEmail(email, under: policies)
    // Otherwise the user could remove the address and then set another one.
    case .remove: try account.permitNewEmail(nil, under: policies)
    }
    try requireRecentSignIn(under: policies, now: now)
  }
}

extension Account {
  /// Under enumeration protection, an address must be verified by email before the account gets it, and
  /// an address can't be removed. As in Google's service, this also holds for an account without an
  /// address: it gets one with a password (`signUp` with its ID token) or with a sign-in link.
  ///
  /// - Throws: ``AccountsError/newEmailUnverified``.
  func permitNewEmail(
    _ new: EmailAddress?, under policies: ProjectPolicies
  ) throws(AccountsError) {
    guard email != new, policies.protectsEmails else { return }
    throw .newEmailUnverified
  }
}
