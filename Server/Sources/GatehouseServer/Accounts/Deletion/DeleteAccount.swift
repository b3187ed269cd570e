package import Foundation
package import GatehouseProtocol

extension AccountsService {
  /// Deletes the caller's own account: at once, or after the project's grace period.
  ///
  /// For an anonymous account with an anonymous session no recent sign-in is needed. An account without
  /// a credential has no grace period, because its user can't sign in again.
  ///
  /// - Parameter language: The language of the email about the deletion, a BCP 47 tag.
  /// - Returns: What was done, and its receipt: a JWT, see ``SessionIssuer/receipt(of:in:)``.
  /// - Throws: ``AccountsError/credentialTooOld``, ``AccountsError/adminOnlyOperation`` if the
  ///   project allows deletion to administrators only, and what ``currentUser(ofIDToken:in:now:)``
  ///   throws.
  package func delete(
    idToken: String, language: String? = nil, in project: Project, now: Date
  ) async throws -> (deletion: Deletion, receipt: String) {
    let notices = notices
    let facts = try sessions.verify(idToken, in: project, now: now)
    let state = try await store.write { transaction -> Deletion.State in
      if let time = try transaction.scheduledDeletion(by: facts, in: project.id) {
        return .scheduled(time)
      }
      let user = try transaction.currentUser(facts, in: project.id)
      if project.policies.refusesDeletion { throw AccountsError.adminOnlyOperation }
      if !user.isGuest {
        try transaction.requireRecentSignInOfSession(facts, in: project, now: now)
      }
      let graceDays = project.policies.deletionGraceDays
      if graceDays > 0 && user.account.withoutUnconfirmedCredentials.hasCredential {
        let time = now.addingTimeInterval(TimeInterval(graceDays) * 86_400).wholeMilliseconds
        try transaction.scheduleDeletion(of: user.account, for: time, in: project, now: now)
        try notices.add(
          .deletionScheduled, to: user.account, usefulUntil: time, language: language, in: project,
          transaction, now: now)
        return .scheduled(time)
      }
      try notices.add(
        .accountDeleted, to: user.account, language: language, in: project, transaction, now: now)
      return .erased(try transaction.erase(user.account, in: project, now: now))
    }
    let deletion = Deletion(uid: facts.uid, requester: .user, at: now, state: state)
    return (deletion, try sessions.receipt(of: deletion, in: project))
  }

  /// Deletes an account as an administrator, at once.
  ///
  /// - Returns: What was done, and its receipt: a JWT, see ``SessionIssuer/receipt(of:in:)``.
  /// - Throws: ``AccountsError/userNotFound``.
  @discardableResult
  package func deleteAccount(
    _ uid: UID, in project: Project, now: Date
  ) async throws -> (deletion: Deletion, receipt: String) {
    let erased = try await store.write { transaction in
      guard let account = try transaction.account(uid, in: project.id) else {
        throw AccountsError.userNotFound
      }
      return try transaction.erase(account, in: project, now: now)
    }
    let deletion = Deletion(uid: uid, requester: .administrator, at: now, state: .erased(erased))
    return (deletion, try sessions.receipt(of: deletion, in: project))
  }

  /// Deletes many accounts as an administrator; unknown ids are ignored. Each transaction deletes a
  /// hundred accounts. If one fails, the accounts of earlier transactions stay deleted.
  ///
  /// - Parameters:
  ///   - uids: At most 1000, the protocol's limit, checked by the caller.
  ///   - force: If false, only disabled accounts are deleted.
  /// - Returns: The indices in `uids` of accounts that were not deleted because they aren't
  ///   disabled.
  package func deleteAccounts(
    _ uids: [UID], force: Bool, in project: Project, now: Date
  ) async throws -> [Int] {
    var left: [Int] = []
    for start in stride(from: 0, to: uids.count, by: Self.deletionBatch) {
      let end = min(start + Self.deletionBatch, uids.count)
      left += try await store.write { transaction in
        var left: [Int] = []
        for index in start..<end {
          guard let account = try transaction.account(uids[index], in: project.id) else { continue }
          if force || account.isDisabled {
            try transaction.erase(account, in: project, now: now)
          } else {
            left.append(index)
          }
        }
        return left
      }
    }
    return left
  }

  /// Not more, because each account takes several round trips to a database behind a network.
  private static let deletionBatch = 100

  /// Deletes every account of the project: for tests against a `--dev` server.
  package func deleteAllAccounts(in project: Project, now: Date) async throws {
    var isDone = false
    while !isDone {
      isDone = try await store.write { transaction in
        let page = try transaction.accounts(
          after: nil, limit: Self.deletionBatch, in: project.id)
        for account in page { try transaction.erase(account, in: project, now: now) }
        return page.isEmpty
      }
    }
  }
}

extension AccountsService {
  /// Deletes every account of a project that is about to be deleted, without events and revocations.
  func dropAccounts(of project: ProjectID) async throws {
    var isDone = false
    while !isDone {
      isDone = try await store.write { try $0.dropAccounts(of: project, limit: 500) == 0 }
    }
  }
}

extension Transaction {
  /// The time at which the account will be erased, if its deletion is scheduled already, the account
  /// isn't disabled, and the session belongs to the account. Otherwise nil.
  ///
  /// A client repeats a deletion if it received no response. The first request has ended the
  /// session, so the second one must not need a live session.
  fileprivate func scheduledDeletion(
    by facts: IDTokenFacts, in project: ProjectID
  ) throws -> Date? {
    guard let account = try account(facts.uid, in: project), !account.isDisabled,
      let time = account.deletionScheduledFor,
      let session = try session(facts.session, in: project), session.uid == account.uid,
      session.createdAt >= account.createdAt
    else { return nil }
    return time
  }

  /// Ends the account's sessions and codes now, except recovery codes, and removes unconfirmed credentials:
  /// an attacker with a stolen ID token may have linked one, and a sign-in with it would cancel the deletion.
  /// Everything else stays until `time`.
  ///
  /// Nothing is revoked at the other providers yet. Otherwise a user who cancels the deletion would have to
  /// give consent at the providers again.
  fileprivate func scheduleDeletion(
    of account: Account, for time: Date, in project: Project, now: Date
  ) throws {
    let before = account
    var account = account
    account.deletionScheduledFor = time
    // A recovery code stays: an attacker may have changed the address before.
    try revokeEverything(of: &account, in: project.id, now: now)
    try unlinkUnconfirmed(from: &account, in: project, now: now)
    try save(account, replacing: before, in: project.id, now: now)
  }

  /// Deletes the account and its codes, and ends its sessions. The sessions stay as tombstones, so
  /// that the tokens of a deleted account never give access to another account with the same id.
  ///
  /// Everything happens in this transaction, so a crash leaves no half-deleted account. Requests to
  /// other servers are queued in the same transaction.
  @discardableResult
  func erase(_ account: Account, in project: Project, now: Date) throws -> Erased {
    var erased = Erased()
    erased.identities = account.identities.map(\.provider)
    erased.providerTokens = try providerTokens(of: account.uid, in: project.id).count
    erased.consents = try consents(of: account.uid, in: project.id).count
    erased.revocations = try revokeAtProviders(of: account, in: project, now: now)
    try endSessions(
      of: account.uid, in: project.id, startedAtOrBefore: nil,
      ending: Session.Ending(at: now, reason: .accountDeleted))
    try detachEverything(of: account, in: project.id, now: now)
    for identity in account.identities {
      try deleteArrivedName(of: identity.provider, subject: identity.subject, in: project.id)
      try deleteSubjectTransfers(
        of: identity.provider, subject: identity.subject, in: project.id)
    }
    try endEveryActionCode(of: account.uid, in: project.id)
    try deleteAccount(account.uid, in: project.id)
    try recordErasure(of: account.uid, in: project.id, now: now)
    return erased
  }
}
