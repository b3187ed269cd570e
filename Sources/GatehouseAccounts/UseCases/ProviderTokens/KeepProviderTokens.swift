import Crypto
package import GatehouseModel

package import struct Foundation.Date

extension StoreTransaction {
  /// Keeps the provider's refresh token after a sign-in, if the provider's configuration says so.
  ///
  /// A refresh token is stored at once. An authorization code is queued in the outbox, which exchanges
  /// the code after the commit. So no sign-in waits for the exchange or fails because of it.
  ///
  /// - Parameter code: The code that came with an ID token. Nil if there was none, or if it was
  ///   exchanged before.
  func keepProviderTokens(
    of identity: ExternalIdentity, code: AuthorizationCode?, for uid: UID, in project: Project,
    now: Date
  ) throws {
    guard code != nil || identity.tokens.refreshToken != nil,
      let provider = try provider(identity.provider, in: project.id),
      provider.isKeepingRefreshTokens
    else { return }
    if let token = identity.tokens.refreshToken {
      try save(
        ProviderToken(
          uid: uid, provider: identity.provider,
          clientID: identity.tokens.clientID ?? provider.clientID,
          subject: identity.subject, token: token, codeDigest: nil, obtainedAt: now),
        in: project.id)
    } else if let code, provider.canExchangeCodes, code.isOfPlausibleLength,
      try spend(code.use(at: identity.provider, now: now), in: project.id)
    {
      try enqueue(
        OutboxEntry(
          project: project.id,
          task: .exchangeCode(
            CodeExchangeTask(
              provider: identity.provider, uid: uid, subject: identity.subject, code: code)),
          orderKey: OutboxEntry.orderKey(of: uid, identity.provider), createdAt: now))
    }
  }

  /// Stores the refresh token for which a code was exchanged. If the account was deleted or the
  /// identity unlinked in the meantime, queues the token's revocation instead, unless the project's policy
  /// is not to revoke at providers.
  ///
  /// The revocation has the time of the code. So it is dropped if the user has signed in again since the
  /// code was issued: that sign-in renewed the same grant, which the revocation would end.
  ///
  /// - Parameters:
  ///   - clientID: The client to which the code was issued.
  ///   - entry: The entry of the exchange.
  package func keep(
    _ token: Secret<String>, clientID: String, of task: CodeExchangeTask, entry: OutboxEntry,
    now: Date
  ) throws {
    let project = entry.project
    let identity = try account(task.uid, in: project)?.identity(of: task.provider)
    guard identity?.subject == task.subject else {
      guard try self.project(project)?.policies.revokesAtProvider == true else { return }
      try enqueue(
        OutboxEntry(
          project: project,
          task: .revoke(
            RevocationTask(
              provider: task.provider, subject: task.subject, target: .token(token, .refresh),
              clientID: clientID)),
          orderKey: OutboxEntry.orderKey(of: task.uid, task.provider),
          createdAt: entry.createdAt))
      return
    }
    try save(
      ProviderToken(
        uid: task.uid, provider: task.provider, clientID: clientID, subject: task.subject,
        token: token, codeDigest: task.code.digest, obtainedAt: now),
      in: project)
  }
}

extension AccountsService {
  /// Keeps the refresh token for which a client's code was exchanged, if the provider's configuration
  /// says so and the account has the identity. ``keptCode(_:of:by:in:)`` finds it by the code.
  ///
  /// - Parameter clientID: The client to which the code was issued.
  package func keepProviderToken(
    of identity: ExternalIdentity, ofCode code: String, _ tokens: ExternalIdentity.ProviderTokens,
    clientID: String, for uid: UID, in project: Project, now: Date
  ) async throws {
    guard let token = tokens.refreshToken else { return }
    try await store.write { transaction in
      guard
        let linked = try transaction.account(uid, in: project.id)?.identity(of: identity.provider),
        linked.subject == identity.subject,
        try transaction.provider(identity.provider, in: project.id)?.isKeepingRefreshTokens == true
      else { return }
      try transaction.save(
        ProviderToken(
          uid: uid, provider: identity.provider, clientID: clientID, subject: identity.subject,
          token: token, codeDigest: AuthorizationCode.digest(of: code), obtainedAt: now),
        in: project.id)
    }
  }
}

extension AuthorizationCode {
  /// SHA-256, 32 bytes.
  var digest: [UInt8] { Self.digest(of: code.reveal()) }

  /// Longer than any provider's code, and short enough to be stored.
  private static let maximumBytes = 2048

  fileprivate var isOfPlausibleLength: Bool {
    (1...Self.maximumBytes).contains(code.reveal().utf8.count)
  }

  /// A record that the code was used. A code works once, and if it is used again, a provider should
  /// revoke the tokens that it issued for the code (RFC 6749 §4.1.2).
  fileprivate func use(at provider: ProviderID, now: Date) -> SingleUseToken {
    SingleUseToken(
      digest: Self.digest(of: "code \(provider.text) \(code.reveal())"),
      expiresAt: now.addingTimeInterval(3600))
  }

  static func digest(of code: String) -> [UInt8] { Array(SHA256.hash(data: Array(code.utf8))) }
}

extension ProviderConfiguration {
  /// Whether the configuration contains what a client needs at the token endpoint.
  fileprivate var canExchangeCodes: Bool {
    id.traits.signsClientSecrets ? apple?.privateKey != nil : provesItself || isPublicClient
  }
}
