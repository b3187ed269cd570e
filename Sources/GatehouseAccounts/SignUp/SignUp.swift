package import Foundation
package import GatehouseModel

extension AccountsService {
  /// Creates an account that nothing but its session leads into.
  ///
  /// - Throws: ``AccountsError/adminOnlyOperation`` where the project doesn't have such accounts,
  ///   ``AccountsError/tooManyAttempts``.
  package func signUpAnonymously(
    from client: ClientAddress, in project: Project, now: Date
  ) async throws -> SignedIn {
    guard project.policies.allowsAnonymous, !project.policies.refusesSignUp else {
      throw AccountsError.adminOnlyOperation
    }
    let brake = Brake.signUp(from: client, under: project.policies.brake)
    return try await finish(isNewUser: true, in: project, now: now) { transaction in
      try brake.count(transaction, in: project.id, now: now)
      var account = Account(uid: .random(), createdAt: now)
      account.lastLoginAt = now
      account.lastRefreshAt = now
      try transaction.save(account, in: project.id)
      let session = try transaction.beginSession(
        of: account, by: .anonymous, in: project.id, now: now)
      return (account, session)
    }
  }

  /// Creates an account with an email address and a password.
  ///
  /// - Throws: ``AccountsError/emailExists``, ``AccountsError/weakPassword``,
  ///   ``AccountsError/passwordTooLong``, ``AccountsError/passwordRequirements(_:)``,
  ///   ``AccountsError/passwordsDisabled``, ``AccountsError/adminOnlyOperation``,
  ///   ``AccountsError/tooManyAttempts``, ``AccountsError/overloaded``.
  package func signUp(
    email: EmailAddress, password: Secret<String>, displayName: String?,
    from client: ClientAddress, in project: Project, now: Date
  ) async throws -> SignedIn {
    if project.policies.refusesSignUp { throw AccountsError.adminOnlyOperation }
    let brake = Brake.signUp(from: client, under: project.policies.brake)
    try await store.read { try brake.check($0, in: project.id, now: now) }
    let hash = try await newPassword(
      password, of: email, nil, from: client, in: project, now: now)
    return try await finish(isNewUser: true, in: project, now: now) { transaction in
      try brake.count(transaction, in: project.id, now: now)
      if try transaction.account(email: email, in: project.id) != nil { return nil }
      var account = Account(uid: .random(), createdAt: now)
      account.email = email
      account.displayName = displayName
      return try transaction.begin(account, withPassword: hash, in: project.id, now: now)
    }
  }

  /// Gives a signed-in account an address and a password: how an anonymous one becomes permanent.
  ///
  /// Everything else that was signed in to the account ends, as with every new password.
  ///
  /// - Parameter link: As in ``update(idToken:with:consent:from:link:in:now:)``.
  /// - Throws: What ``signUp(email:password:displayName:from:in:now:)`` and
  ///   ``caller(ofIDToken:in:now:)`` throw, and ``AccountsError/credentialTooOld`` for an account
  ///   that isn't anonymous. Such a one keeps its address under enumeration protection, as in
  ///   ``update(idToken:with:consent:from:link:in:now:)``;
  ///   ``AccountsError/consentRequired(_:)`` without the person's consent where the address is joined
  ///   to more.
  package func upgrade(
    idToken: String, email: EmailAddress, password: Secret<String>, displayName: String?,
    consent: GivenConsent? = nil, from client: ClientAddress,
    link: CodeLink? = nil, in project: Project, now: Date
  ) async throws -> SignedIn {
    let facts = try sessions.verify(idToken, in: project, now: now)
    let brake = Brake.signUp(from: client, under: project.policies.brake)
    let uid = try await store.read { transaction in
      let caller = try transaction.caller(facts, in: project.id)
      try brake.check(transaction, in: project.id, now: now)
      return caller.account.uid
    }
    let hash = try await newPassword(
      password, of: email, uid, from: client, in: project, now: now)
    let actionCodes = actionCodes
    let upgraded = try await store.write {
      transaction -> (Account, Session, IssuedActionCode?)? in
      try brake.count(transaction, in: project.id, now: now)
      let caller = try transaction.caller(facts, in: project.id)
      var account = caller.account
      if !(account.isAnonymous && caller.session.provider == .anonymous) {
        try caller.session.requireRecentSignIn(under: project.policies, now: now)
      }
      if !account.isAnonymous {
        try account.permitNewEmail(email, under: project.policies)
      }
      if let owner = try transaction.account(email: email, in: project.id),
        owner.uid != account.uid
      {
        return nil
      }
      var recovery: IssuedActionCode?
      if account.email != email {
        recovery = try transaction.issueRecovery(
          of: account, by: actionCodes, link: link, in: project.id, now: now)
        account.isEmailVerified = false
      }
      account.email = email
      account.displayName = displayName ?? account.displayName
      try transaction.keepConsent(
        consent, from: caller.account, to: account, in: project, now: now)
      try transaction.revokeEverything(of: &account, in: project.id, now: now)
      let begun = try transaction.begin(account, withPassword: hash, in: project.id, now: now)
      return (begun.0, begun.1, recovery)
    }
    guard let (account, session, recovery) = upgraded else { throw AccountsError.emailExists }
    await actionCodes.deliver(recovery)
    return SignedIn(
      account: account, session: session,
      tokens: try sessions.tokens(for: account, session, in: project, now: now),
      isNewUser: false)
  }

  /// - Parameter uid: The account that may have the address already.
  /// - Throws: ``AccountsError/emailExists`` before what is wrong with the password: the service tells
  ///   them in this order. It is counted as any other answer that tells of an address.
  private func newPassword(
    _ password: Secret<String>, of email: EmailAddress, _ uid: UID?, from client: ClientAddress,
    in project: Project, now: Date
  ) async throws -> PasswordHash {
    try project.policies.requirePasswords()
    do throws(AccountsError) {
      try password.checkAsNewPassword(under: project.policies)
    } catch {
      let brake = Brake.signUp(from: client, under: project.policies.brake)
      let isTaken = try await store.write { transaction in
        try brake.count(transaction, in: project.id, now: now)
        let owner = try transaction.account(email: email, in: project.id)
        return owner != nil && owner?.uid != uid
      }
      throw isTaken ? .emailExists : error
    }
    return try await hashingShares.run(for: client) { try await passwords.hash(password) }
  }

  /// Runs the transaction and makes the tokens once it is durable.
  ///
  /// - Parameter body: Answers nil if the email address is another account's. That is no error of
  ///   the transaction's, which would undo what the brake counted in it: a taken address tells
  ///   something too.
  func finish(
    isNewUser: Bool, in project: Project, now: Date,
    _ body: @escaping @Sendable (any StoreTransaction) throws -> (Account, Session)?
  ) async throws -> SignedIn {
    guard let (account, session) = try await store.write(body) else {
      throw AccountsError.emailExists
    }
    return SignedIn(
      account: account, session: session,
      tokens: try sessions.tokens(for: account, session, in: project, now: now),
      isNewUser: isNewUser)
  }
}

extension StoreTransaction {
  fileprivate func begin(
    _ account: Account, withPassword hash: PasswordHash, in project: ProjectID, now: Date
  ) throws -> (Account, Session) {
    var account = account
    account.password = hash
    account.passwordUpdatedAt = now
    account.lastLoginAt = now
    account.lastRefreshAt = now
    try save(account, in: project)
    return (account, try beginSession(of: account, by: .password, in: project, now: now))
  }
}

extension UID {
  static func random() -> UID {
    var generator = SystemRandomNumberGenerator()
    return UID(using: &generator)
  }
}
