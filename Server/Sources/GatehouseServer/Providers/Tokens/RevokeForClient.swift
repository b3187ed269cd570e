package import GatehouseProtocol

package import struct Foundation.Date

/// A revocation that the request executes itself. Until it reports the result, the outbox leaves the entry
/// alone, for a minute. If the request doesn't end, the outbox revokes.
package struct QueuedRevocation: Sendable {
  package let entry: OutboxEntry
  package let token: Secret<String>
  package let kind: RevocableToken
  /// The client to which the token was issued; nil if unknown.
  package let clientID: String?
}

/// What is known about an authorization code that a client wants revoked.
package enum KnownCode: Sendable {
  /// It was exchanged for this token, which is kept.
  case exchanged(ProviderToken)
  /// It was exchanged for a token whose revocation has not succeeded yet.
  case revoking(QueuedRevocation)
  /// The outbox or another request is exchanging it: ask again.
  case inProgress
  /// The outbox was going to exchange it. The caller may do so: the outbox leaves the entry alone for a
  /// minute.
  case waiting(OutboxEntry)
  /// The server has not seen it. The caller may exchange it.
  case unknown
}

extension AccountsService {
  package func isCompleted(
    _ request: RevocationRequest, in project: Project, now: Date
  ) async throws -> Bool {
    try await store.read { try $0.isSpent(request.record(now: now), in: project.id) }
  }

  /// Finds a code that came with an earlier sign-in of the account, or with an earlier request like this one.
  package func knownCode(
    _ code: String, of request: RevocationRequest, at provider: ProviderID, in project: Project,
    now: Date
  ) async throws -> KnownCode {
    let digest = AuthorizationCode.digest(of: code)
    return try await store.write { transaction in
      let tokens = try transaction.providerTokens(of: request.uid, in: project.id)
      if let token = tokens.first(where: { $0.provider == provider && $0.codeDigest == digest }) {
        return .exchanged(token)
      }
      for entry in try transaction.liveEntries(of: request.uid, at: provider, in: project.id) {
        switch entry.task {
        case .revoke(let task):
          guard task.request == request, let queued = QueuedRevocation(entry, task) else {
            continue
          }
          return .revoking(queued)
        case .exchangeCode(let task):
          guard task.provider == provider, task.code.digest == digest else { continue }
          // An attempt has begun and has no result yet.
          if entry.attempts > 0 && entry.lastError == nil { return .inProgress }
          return .waiting(try transaction.claim(entry, now: now))
        default: continue
        }
      }
      return .unknown
    }
  }

  /// Leaves to the outbox what the caller couldn't do.
  package func release(_ entry: OutboxEntry, because error: String, now: Date) async throws {
    var changed = entry
    changed.dueAt = now
    changed.lastError = error
    let released = changed
    try await store.write { _ = try $0.recordAttempt(released, of: entry) }
  }

  /// Queues the revocation of the token for which a client's code was exchanged, before the client's request
  /// revokes it: a code works only once, so if the request fails, nobody else has the token.
  ///
  /// In the same transaction, the verified identity counts as a sign-in, as in
  /// ``confirm(_:forIDToken:in:now:)``, and the outbox no longer exchanges the code.
  ///
  /// - Parameters:
  ///   - clientID: The client to which the code was issued.
  ///   - identity: The identity that the provider returned with the token.
  /// - Throws: What ``confirm(_:forIDToken:in:now:)`` throws.
  package func queueRevocation(
    of token: Secret<String>, _ kind: RevocableToken, clientID: String,
    identity: ExternalIdentity, code: String, request: RevocationRequest,
    forIDToken idToken: String,
    in project: Project, now: Date
  ) async throws -> QueuedRevocation {
    let facts = try facts(ofIDToken: idToken, in: project, now: now)
    let digest = AuthorizationCode.digest(of: code)
    let provider = identity.provider
    let task = RevocationTask(
      provider: provider, subject: identity.subject, target: .token(token, kind),
      clientID: clientID, request: request)
    return try await store.write { transaction in
      try transaction.confirm(identity, facts, in: project.id, now: now)
      try transaction.deleteLiveEntries(of: request.uid, at: provider, in: project.id) { task in
        if case .exchangeCode(let task) = task { task.code.digest == digest } else { false }
      }
      let entry = OutboxEntry(
        project: project.id, task: .revoke(task),
        orderKey: OutboxEntry.orderKey(of: request.uid, provider), createdAt: now
      ).claimed(now: now)
      try transaction.enqueue(entry)
      return QueuedRevocation(entry: entry, token: token, kind: kind, clientID: clientID)
    }
  }

  /// Removes an entry whose work the caller has done, or that can't be done.
  package func drop(_ entry: OutboxEntry) async throws {
    try await store.write { _ = try $0.deleteOutboxEntry(entry.id) }
  }

  /// Records that the provider revoked the token.
  ///
  /// - Parameter forgettingTokens: Whether the provider revoked all of the user's tokens with this one.
  package func complete(
    _ request: RevocationRequest, _ revocation: QueuedRevocation? = nil, at provider: ProviderID,
    forgettingTokens: Bool, in project: Project, now: Date
  ) async throws {
    try await store.write { transaction in
      if let revocation { _ = try transaction.deleteOutboxEntry(revocation.entry.id) }
      try transaction.complete(
        request, at: provider, forgettingTokens: forgettingTokens, in: project.id, now: now)
    }
  }

  /// - Returns: Nil if the client's token is not one of the account's kept tokens.
  package func keptToken(
    _ token: Secret<String>, of provider: ProviderID, by uid: UID, in project: Project
  ) async throws -> ProviderToken? {
    let tokens = try await store.read { try $0.providerTokens(of: uid, in: project.id) }
    return tokens.first { kept in
      kept.provider == provider
        && constantTimeEquals(Array(kept.token.reveal().utf8), Array(token.reveal().utf8))
    }
  }
}

extension Transaction {
  /// Records the revocation and forgets the tokens that the provider revoked with it, at once: a repeated
  /// request does nothing more, and a kept token would later look as if the user had withdrawn consent.
  package func complete(
    _ request: RevocationRequest, at provider: ProviderID, forgettingTokens: Bool,
    in project: ProjectID, now: Date
  ) throws {
    _ = try spend(request.record(now: now), in: project)
    guard forgettingTokens else { return }
    try deleteProviderTokens(of: request.uid, provider: provider, in: project)
    // The provider no longer accepts a code of the revoked grant.
    try deleteLiveEntries(of: request.uid, at: provider, in: project) { task in
      if case .exchangeCode = task { true } else { false }
    }
  }

  /// Whether the user has signed in with the provider since the request: that sign-in renewed the grant, and
  /// a late revocation of the old token would end it. A session that replaces another one, as after a new
  /// address, is no sign-in.
  package func hasReturned(
    since entry: OutboxEntry, _ request: RevocationRequest, at provider: ProviderID
  ) throws -> Bool {
    try liveSessions(of: request.uid, limit: Session.maximumPerAccount, in: entry.project)
      .contains { $0.provider == provider && $0.authenticatedAt > entry.createdAt }
  }

  /// Deletes the revocations that a client requested and that have not succeeded. Call it when the user signs
  /// in with the provider: the sign-in renews the grant. The entries would also delay the exchange of the
  /// sign-in's code.
  func dropRequestedRevocations(
    of uid: UID, at provider: ProviderID, in project: ProjectID
  ) throws {
    try deleteLiveEntries(of: uid, at: provider, in: project) { task in
      if case .revoke(let task) = task { task.request != nil } else { false }
    }
  }

  /// The account's entries at the provider that the outbox has to execute.
  fileprivate func liveEntries(
    of uid: UID, at provider: ProviderID, in project: ProjectID
  ) throws -> [OutboxEntry] {
    try liveOutboxEntries(
      withOrderKey: OutboxEntry.orderKey(of: uid, provider), limit: 100, in: project)
  }

  fileprivate func deleteLiveEntries(
    of uid: UID, at provider: ProviderID, in project: ProjectID,
    where isPointless: (OutboxTask) -> Bool
  ) throws {
    for entry in try liveEntries(of: uid, at: provider, in: project)
    where isPointless(entry.task) {
      _ = try deleteOutboxEntry(entry.id)
    }
  }

  fileprivate func claim(_ entry: OutboxEntry, now: Date) throws -> OutboxEntry {
    var claimed = entry.claimed(now: now)
    // Without a result, this attempt is in progress.
    claimed.lastError = nil
    try update(claimed)
    return claimed
  }
}

extension OutboxEntry {
  /// The entry as if a worker had begun an attempt now.
  fileprivate func claimed(now: Date) -> OutboxEntry {
    var entry = self
    entry.attempts += 1
    entry.dueAt = now.addingTimeInterval(OutboxLeases.shortest)
    return entry
  }
}

extension QueuedRevocation {
  fileprivate init?(_ entry: OutboxEntry, _ task: RevocationTask) {
    guard case .token(let token, let kind) = task.target else { return nil }
    self.init(entry: entry, token: token, kind: kind, clientID: task.clientID)
  }
}

extension RevocationRequest {
  fileprivate func record(now: Date) -> SingleUseToken {
    SingleUseToken(digest: digest, expiresAt: now.addingTimeInterval(3600))
  }
}
