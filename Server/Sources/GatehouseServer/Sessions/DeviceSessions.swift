package import Foundation
package import GatehouseProtocol

/// A user sees on which devices the account is signed in, names them, and signs them out.
extension AccountsService {
  /// The caller's live sessions, the newest first, at most ``Session/maximumPerAccount``.
  ///
  /// Without a recent sign-in the sessions are returned without addresses: a stolen ID token alone must
  /// not reveal where its user has been.
  ///
  /// - Returns: The sessions, and the id of the ID token's session.
  /// - Throws: What ``currentUser(ofIDToken:in:now:)`` throws.
  package func sessions(
    idToken: String, in project: Project, now: Date
  ) async throws -> (sessions: [Session], current: SessionID) {
    let facts = try sessions.verify(idToken, in: project, now: now)
    return try await store.read { transaction in
      let user = try transaction.currentUser(facts, in: project.id)
      let isRecent = user.isRecent(under: project.policies, now: now)
      let sessions = try transaction.sessions(of: user.account.uid, in: project.id).map { session in
        var session = session
        if !isRecent { session.device?.address = nil }
        return session
      }
      return (sessions, user.session.id)
    }
  }

  /// Ends one of the caller's sessions, if the caller has such a live session. With it end the pending tokens
  /// of its identity, or the temporary proofs of its number: otherwise they would begin another session.
  ///
  /// Unless it is the session of the ID token, the account's codes for another address end too: that
  /// session may be an attacker's. A user who ends their own session can still use a code that they
  /// requested. See also ``Transaction/beforeEndingOthers(_:in:now:)``.
  ///
  /// With the ID token's own session, the account loses its unconfirmed credentials, except the one with
  /// which this session began: a thief with the ID token may have linked them, and now force the user to
  /// sign in, which would confirm them.
  package func endSession(
    _ id: SessionID, idToken: String, in project: Project, now: Date
  ) async throws {
    let facts = try sessions.verify(idToken, in: project, now: now)
    try await store.write { transaction in
      let user = try transaction.currentUser(facts, in: project.id)
      if id == user.session.id {
        try transaction.rememberEnding(by: user, in: project, now: now)
        let account = try transaction.withoutUnconfirmed(
          user.account, except: user.ownCredential, in: project, now: now)
        try transaction.saveWithoutUnconfirmed(account, of: user, in: project, now: now)
      } else {
        try transaction.removeUnconfirmedBeforeEndingOthers(user, in: project, now: now)
        try transaction.endEmailChanges(of: user.account.uid, in: project.id)
      }
      try transaction.endSessions([id], of: user.account, in: project.id, now: now)
    }
  }

  /// Ends the caller's sessions except the one of the ID token, and the codes for another address. See also
  /// ``Transaction/beforeEndingOthers(_:in:now:)``.
  ///
  /// - Returns: How many were ended.
  package func endOtherSessions(
    idToken: String, in project: Project, now: Date
  ) async throws -> Int {
    let facts = try sessions.verify(idToken, in: project, now: now)
    return try await store.write { transaction in
      let user = try transaction.currentUser(facts, in: project.id)
      try transaction.removeUnconfirmedBeforeEndingOthers(user, in: project, now: now)
      let others = try transaction.sessions(of: user.account.uid, in: project.id).map(\.id)
        .filter { $0 != user.session.id }
      try transaction.endEmailChanges(of: user.account.uid, in: project.id)
      return try transaction.endSessions(others, of: user.account, in: project.id, now: now)
    }
  }

  /// Names the device of one of the caller's sessions.
  ///
  /// - Parameter name: At most ``SessionDevice/nameLimit`` characters, checked by the caller; nil removes
  ///   the name.
  /// - Returns: False if the caller has no such live session.
  package func nameSession(
    _ id: SessionID, _ name: String?, idToken: String, in project: Project, now: Date
  ) async throws -> Bool {
    let facts = try sessions.verify(idToken, in: project, now: now)
    return try await store.write { transaction in
      let user = try transaction.currentUser(facts, in: project.id)
      return try transaction.nameDevice(of: id, user.account.uid, name, in: project.id)
    }
  }

  /// An account's live sessions, for an administrator.
  ///
  /// - Throws: ``AccountsError/userNotFound``.
  package func sessions(of uid: UID, in project: Project) async throws -> [Session] {
    try await store.read { transaction in
      guard try transaction.account(uid, in: project.id) != nil else {
        throw AccountsError.userNotFound
      }
      return try transaction.sessions(of: uid, in: project.id)
    }
  }

  /// Ends sessions of an account as an administrator, and its codes for another address. Ignores ids of
  /// ended sessions and of other accounts' sessions. Doesn't revoke the account's tokens: a verifier that
  /// checks only `validSince` accepts an ID token until it expires.
  ///
  /// - Parameter ids: The sessions. Nil: all of the account.
  /// - Returns: How many were ended.
  /// - Throws: ``AccountsError/userNotFound``.
  package func endSessions(
    _ ids: [SessionID]?, of uid: UID, in project: Project, now: Date
  ) async throws -> Int {
    try await store.write { transaction in
      guard let account = try transaction.account(uid, in: project.id) else {
        throw AccountsError.userNotFound
      }
      let ids = try ids ?? transaction.sessions(of: uid, in: project.id).map(\.id)
      try transaction.endEmailChanges(of: uid, in: project.id)
      return try transaction.endSessions(ids, of: account, in: project.id, now: now)
    }
  }
}

extension Transaction {
  /// Call it before a user's request ends sessions other than the caller's.
  ///
  /// With a stolen ID token of an old session, a thief can link their own identity, which stays unconfirmed
  /// until the user signs in again. Neither that identity's session nor the stolen token may force the user
  /// to do so: the former ends nobody else's sessions, and with the latter the identity goes too, unless the
  /// account has no other credential. Afterwards the old sessions link nothing, so that the other order has
  /// no effect either: see ``Transaction/confirmsLinks(of:in:now:)``.
  ///
  /// - Returns: The account without the credentials that were never confirmed. Not saved.
  /// - Throws: ``AccountsError/credentialTooOld`` in a session of an unconfirmed credential.
  func beforeEndingOthers(
    _ user: CurrentUser, in project: Project, now: Date
  ) throws -> Account {
    guard !user.account.hasUnconfirmed(user.session.provider) else {
      throw AccountsError.credentialTooOld
    }
    try rememberEnding(by: user, in: project, now: now)
    return try withoutUnconfirmed(user.account, in: project, now: now)
  }

  /// The account without its unconfirmed credentials, unless it has no others. Not saved.
  fileprivate func withoutUnconfirmed(
    _ before: Account, except kept: ProviderID? = nil, in project: Project, now: Date
  ) throws -> Account {
    var account = before
    if account.withoutUnconfirmedCredentials.hasCredential {
      try unlinkUnconfirmed(from: &account, except: kept, in: project, now: now)
    }
    return account
  }

  fileprivate func removeUnconfirmedBeforeEndingOthers(
    _ user: CurrentUser, in project: Project, now: Date
  ) throws {
    let account = try beforeEndingOthers(user, in: project, now: now)
    try saveWithoutUnconfirmed(account, of: user, in: project, now: now)
  }

  fileprivate func saveWithoutUnconfirmed(
    _ account: Account, of user: CurrentUser, in project: Project, now: Date
  ) throws {
    guard
      account.identities != user.account.identities
        || account.phoneNumber != user.account.phoneNumber
        || account.passkeys != user.account.passkeys
    else { return }
    try endSessions(
      ofRemovedCredentials: user.account, account, except: user.session.id, in: project.id, now: now
    )
    try save(account, replacing: user.account, in: project.id, now: now)
  }

  fileprivate func sessions(of uid: UID, in project: ProjectID) throws -> [Session] {
    try liveSessions(of: uid, limit: Session.maximumPerAccount, in: project)
  }

  /// Ends the sessions that began with a credential, except one. Call it when the user removes the
  /// credential: a thief may have it, or the finder of a lost phone.
  func endSessions(
    begunBy provider: ProviderID, of account: Account, except kept: SessionID?,
    in project: ProjectID, now: Date
  ) throws {
    let ids = try sessions(of: account.uid, in: project)
      .filter { $0.provider == provider && $0.id != kept }.map(\.id)
    try endSessions(ids, of: account, in: project, now: now)
  }

  /// Ends the sessions that began with credentials or second factors that the account no longer has, except
  /// one.
  func endSessions(
    ofRemovedCredentials before: Account, _ after: Account, except kept: SessionID?,
    in project: ProjectID, now: Date
  ) throws {
    var removed = before.credentials.subtracting(after.credentials)
    // Which passkey began a session isn't stored.
    if after.passkeys.all < before.passkeys.all { removed.insert(.passkey) }
    for provider in removed {
      try endSessions(begunBy: provider, of: before, except: kept, in: project, now: now)
    }
    let factors = Set((before.secondFactors?.factors ?? []).map(\.id))
      .subtracting((after.secondFactors?.factors ?? []).map(\.id))
    guard !factors.isEmpty || removed.contains(.passkey) else { return }
    let ids = try sessions(of: before.uid, in: project).filter { session in
      guard let factor = session.secondFactor, session.id != kept else { return false }
      return factor.method == .passkey ? removed.contains(.passkey) : factors.contains(factor.id)
    }.map(\.id)
    try endSessions(ids, of: before, in: project, now: now)
  }

  @discardableResult
  fileprivate func endSessions(
    _ ids: [SessionID], of account: Account, in project: ProjectID, now: Date
  ) throws -> Int {
    var count = 0
    for id in ids {
      guard var session = try session(id, in: project), session.uid == account.uid,
        session.ended == nil
      else { continue }
      session.end(Session.Ending(at: now, reason: .revoked))
      try update(session, in: project)
      try detachCredential(of: session, account, in: project, now: now)
      try record(
        .sessionEnded, of: account.uid,
        details: ["reason": "ended", "session": id.description], in: project, now: now)
      count += 1
    }
    return count
  }
}

extension Account {
  /// The providers of the credentials with which a session may have begun.
  fileprivate var credentials: Set<ProviderID> {
    var providers = Set(identities.map(\.provider))
    if password != nil || hasEmailLink { providers.insert(.password) }
    if phoneNumber != nil { providers.insert(.phone) }
    return providers
  }
}
