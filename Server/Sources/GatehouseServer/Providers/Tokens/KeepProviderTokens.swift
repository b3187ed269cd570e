import Crypto
package import GatehouseProtocol

package import struct Foundation.Date

extension Transaction {
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
    try dropRequestedRevocations(of: uid, at: identity.provider, in: project.id)
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
  /// is not to revoke at providers. Does nothing if the entry was deleted in the meantime: the provider has
  /// revoked the token with the others of the user, and a kept token would later look as if the user had
  /// withdrawn consent; or an operator dropped the entry.
  ///
  /// The revocation has the time of the code. So it is dropped if the user has signed in again since the
  /// code was issued: that sign-in renewed the same grant, which the revocation would end.
  ///
  /// - Parameters:
  ///   - clientID: The client to which the code was issued.
  ///   - entry: The entry of the exchange.
  ///   - isQueued: Whether the entry still existed.
  package func keep(
    _ token: Secret<String>, clientID: String, of task: CodeExchangeTask, entry: OutboxEntry,
    isQueued: Bool, now: Date
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
    guard isQueued else { return }
    try save(
      ProviderToken(
        uid: task.uid, provider: task.provider, clientID: clientID, subject: task.subject,
        token: token, codeDigest: task.code.digest, obtainedAt: now),
      in: project)
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
