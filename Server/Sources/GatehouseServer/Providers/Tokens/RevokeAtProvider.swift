package import GatehouseProtocol

package import struct Foundation.Date

extension Transaction {
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

extension Transaction {
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
}
