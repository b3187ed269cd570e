package import GatehouseModel

package import struct Foundation.Date

extension StoreTransaction {
  /// Queues revocations at the providers of the account, and deletes the kept tokens. Call it before
  /// the account is deleted or `provider` is unlinked.
  ///
  /// A revocation needs a kept token, except at a provider that revokes by the user's id.
  ///
  /// - Returns: The providers at which a revocation is queued.
  @discardableResult
  func revokeAtProviders(
    of account: Account, only provider: ProviderID? = nil, in project: Project, now: Date
  ) throws -> [ProviderID] {
    let tasks = try revocations(of: account, only: provider, in: project)
    for task in tasks {
      try enqueue(
        OutboxEntry(
          project: project.id, task: .revoke(task),
          orderKey: OutboxEntry.orderKey(of: account.uid, task.provider),
          createdAt: now))
    }
    // Also deletes tokens that can't be decrypted.
    for provider in provider.map({ [$0] }) ?? account.identities.map(\.provider) {
      try deleteProviderTokens(of: account.uid, provider: provider, in: project.id)
    }
    return tasks.map(\.provider)
  }

  /// Deletes the kept tokens of identities that the account no longer has. Doesn't revoke them: the
  /// identities may belong to another user, or the provider has revoked the tokens already.
  func forgetTokensOfRemovedIdentities(of account: Account, in project: ProjectID) throws {
    for token in try providerTokens(of: account.uid, in: project)
    where account.identity(of: token.provider)?.subject != token.subject {
      try deleteProviderTokens(of: account.uid, provider: token.provider, in: project)
    }
  }
}

extension StoreTransaction {
  /// The revocations that follow if the account is deleted, or `provider` is unlinked. There are none if
  /// the project's policy is not to revoke at providers.
  ///
  /// There is one for each kept token, and one for each identity whose provider revokes by the user's id
  /// and needs no token.
  fileprivate func revocations(
    of account: Account, only provider: ProviderID? = nil, in project: Project
  ) throws -> [RevocationTask] {
    guard project.policies.revokesAtProvider else { return [] }
    var tasks: [RevocationTask] = []
    for token in try providerTokens(of: account.uid, in: project.id)
    where provider ?? token.provider == token.provider {
      tasks.append(
        RevocationTask(
          provider: token.provider, subject: token.subject,
          target: .token(token.token, .refresh),
          clientID: token.clientID.isEmpty ? nil : token.clientID))
    }
    for identity in account.identities
    where identity.provider.traits.revokesGrantsBySubject
      && provider ?? identity.provider == identity.provider
    {
      guard try self.provider(identity.provider, in: project.id) != nil else { continue }
      tasks.append(
        RevocationTask(
          provider: identity.provider, subject: identity.subject, target: .grant, clientID: nil))
    }
    return tasks
  }
}

extension AccountsService {
  /// The account of an ID token, and the providers at which its deletion will revoke the user's grant.
  /// For the revocation at these providers an app doesn't need another sign-in with them.
  ///
  /// - Throws: What ``currentUser(ofIDToken:in:now:)`` throws.
  package func ownAccount(
    ofIDToken idToken: String, in project: Project, now: Date
  ) async throws -> (account: Account, revokedOnDeletion: [ProviderID]) {
    let facts = try facts(ofIDToken: idToken, in: project, now: now)
    return try await store.read { transaction in
      let account = try transaction.currentUser(facts, in: project.id).account
      let revocations =
        account.identities.isEmpty ? [] : try transaction.revocations(of: account, in: project)
      return (account, revocations.map(\.provider))
    }
  }

  /// What is known about an authorization code that a client wants revoked.
  package enum KeptCode: Sendable {
    /// It was exchanged for this token.
    case exchanged(ProviderToken)
    /// The outbox is exchanging it: call the function again.
    case inProgress
    /// The caller may exchange it. If it was queued in the outbox, it has been removed from there.
    case unused
  }

  /// Finds a code that came with an earlier sign-in of the account.
  package func keptCode(
    _ code: String, of provider: ProviderID, by uid: UID, in project: Project
  ) async throws -> KeptCode {
    let digest = AuthorizationCode.digest(of: code)
    return try await store.write { transaction in
      let tokens = try transaction.providerTokens(of: uid, in: project.id)
      if let token = tokens.first(where: { $0.provider == provider && $0.codeDigest == digest }) {
        return .exchanged(token)
      }
      for entry in try transaction.liveOutboxEntries(
        withOrderKey: OutboxEntry.orderKey(of: uid, provider), limit: 100, in: project.id)
      {
        guard case .exchangeCode(let task) = entry.task, task.provider == provider,
          task.code.digest == digest
        else { continue }
        // The first attempt has begun and has no result yet.
        if entry.attempts > 0 && entry.lastError == nil { return .inProgress }
        _ = try transaction.deleteOutboxEntry(entry.id)
      }
      return .unused
    }
  }

  /// The record that the account's request revoked the token of a code. It is kept for an hour: longer
  /// than any provider's code is valid.
  package func revocation(
    ofCode code: String, of provider: ProviderID, by uid: UID, now: Date
  ) -> SingleUseToken {
    SingleUseToken(
      digest: AuthorizationCode.digest(of: "revoked \(provider.text) \(uid.text) \(code)"),
      expiresAt: now.addingTimeInterval(3600))
  }

  package func isRecorded(_ revocation: SingleUseToken, in project: Project) async throws -> Bool {
    try await store.read { try $0.isSpent(revocation, in: project.id) }
  }

  /// Records the revocation, and forgets the tokens that the provider revoked with it, at once: a repeated
  /// request does nothing more, and a kept token would later look as if the user had withdrawn consent.
  package func record(
    _ revocation: SingleUseToken, of uid: UID, at provider: ProviderID, forgettingTokens: Bool,
    in project: Project
  ) async throws {
    try await store.write { transaction in
      _ = try transaction.spend(revocation, in: project.id)
      if forgettingTokens {
        try transaction.forgetTokens(of: uid, provider: provider, in: project.id)
      }
    }
  }

  /// Whether the token is one of the account's kept tokens of the provider.
  package func isKept(
    _ token: Secret<String>, of provider: ProviderID, by uid: UID, in project: Project
  ) async throws -> Bool {
    let tokens = try await store.read { try $0.providerTokens(of: uid, in: project.id) }
    return tokens.contains { kept in
      kept.provider == provider
        && constantTimeEquals(Array(kept.token.reveal().utf8), Array(token.reveal().utf8))
    }
  }

  /// Deletes the account's tokens of a provider that has just revoked them, and the codes of this
  /// provider that wait for their exchange.
  package func forgetProviderTokens(
    of uid: UID, provider: ProviderID, in project: Project
  ) async throws {
    try await store.write {
      try $0.forgetTokens(of: uid, provider: provider, in: project.id)
    }
  }
}

extension StoreTransaction {
  fileprivate func forgetTokens(
    of uid: UID, provider: ProviderID, in project: ProjectID
  ) throws {
    try deleteProviderTokens(of: uid, provider: provider, in: project)
    // The provider no longer accepts a code of the revoked grant.
    for entry in try liveOutboxEntries(
      withOrderKey: OutboxEntry.orderKey(of: uid, provider), limit: 100, in: project)
    {
      guard case .exchangeCode(let task) = entry.task, task.provider == provider else { continue }
      _ = try deleteOutboxEntry(entry.id)
    }
  }
}
