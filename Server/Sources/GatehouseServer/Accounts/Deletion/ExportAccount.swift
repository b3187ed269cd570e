package import GatehouseProtocol

package import struct Foundation.Date

extension AccountsService {
  /// The caller's account with its records: see ``AccountExport``.
  ///
  /// - Throws: ``AccountsError/credentialTooOld`` without a recent sign-in, because a stolen ID token
  ///   alone must not reveal more than `lookup` does; and what
  ///   ``currentUser(ofIDToken:in:now:)`` throws.
  package func export(
    idToken: String, in project: Project, now: Date
  ) async throws -> AccountExport {
    let facts = try sessions.verify(idToken, in: project, now: now)
    return try await store.read { transaction in
      let user = try transaction.currentUser(facts, in: project.id)
      try user.requireRecentSignIn(under: project.policies, now: now)
      return try transaction.export(user.account, isForUser: true, in: project, now: now)
    }
  }

  /// An account with its records, for an administrator: see ``AccountExport``.
  ///
  /// - Throws: ``AccountsError/userNotFound``.
  package func exportAccount(
    _ uid: UID, in project: Project, now: Date
  ) async throws -> AccountExport {
    try await store.read { transaction in
      guard let account = try transaction.account(uid, in: project.id) else {
        throw AccountsError.userNotFound
      }
      return try transaction.export(account, isForUser: false, in: project, now: now)
    }
  }
}

extension Transaction {
  fileprivate func export(
    _ account: Account, isForUser: Bool, in project: Project, now: Date
  ) throws -> AccountExport {
    let events = try latestEvents(of: account.uid, isForUser: isForUser, in: project.id)
    return AccountExport(
      project: project, exportedAt: now, account: account,
      sessions: try liveSessions(
        of: account.uid, limit: Session.maximumPerAccount, in: project.id),
      consents: try consents(of: account.uid, in: project.id),
      passkeys: try passkeys(of: account, in: project.id),
      providerTokens: try providerTokens(of: account.uid, in: project.id),
      queued: try providers(in: project.id).flatMap { provider in
        try liveOutboxEntries(
          withOrderKey: OutboxEntry.orderKey(of: account.uid, provider.id), limit: 100,
          in: project.id)
      }.map(\.task.kind),
      events: events, isForUser: isForUser)
  }

  /// The events that wait to be linked and the linked ones. The user's export must include the former: the
  /// event by which this user got the account may be one of them.
  private func latestEvents(
    of uid: UID, isForUser: Bool, in project: ProjectID
  ) throws -> [Event] {
    let limit = AccountExport.eventLimit
    let waiting = try latestWaitingEvents(of: uid, limit: limit, in: project).map(\.event)
    let linked: [Event?] = try latestEventLinks(
      of: uid, limit: limit, in: project
    ).map(\.event)
    let events = (waiting + linked).prefix(limit)
    return isForUser ? events.ofPresentUser : events.compactMap(\.self)
  }
}
