import Crypto
package import GatehouseModel

package import struct Foundation.Date

extension StoreTransaction {
  /// Keeps what a sign-in brought of the provider's tokens, if the provider's configuration wants it: a
  /// refresh token at once; an authorization code is exchanged by the outbox after the commit, so that
  /// no sign-in waits for it or fails because of it.
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

  /// Stores the refresh token that a code was exchanged for. If the account or its identity is gone
  /// by now, the token is revoked instead.
  ///
  /// - Parameter clientID: The client to which the code was issued.
  package func keep(
    _ token: Secret<String>, clientID: String, of task: CodeExchangeTask, in project: ProjectID,
    now: Date
  ) throws {
    let identity = try account(task.uid, in: project)?.identity(of: task.provider)
    guard identity?.subject == task.subject else {
      try enqueue(
        OutboxEntry(
          project: project,
          task: .revoke(
            RevocationTask(
              provider: task.provider, subject: task.subject, target: .token(token, .refresh),
              clientID: clientID)),
          orderKey: OutboxEntry.orderKey(of: task.uid, task.provider), createdAt: now))
      return
    }
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

  /// Longer than any provider's, and short enough to be stored.
  private static let maximumBytes = 2048

  fileprivate var isOfPlausibleLength: Bool {
    (1...Self.maximumBytes).contains(code.reveal().utf8.count)
  }

  /// A code works once (RFC 6749 §4.1.2), and providers revoke what it gave when it is presented
  /// again.
  fileprivate func use(at provider: ProviderID, now: Date) -> SingleUseToken {
    SingleUseToken(
      digest: Self.digest(of: "code \(provider.text) \(code.reveal())"),
      expiresAt: now.addingTimeInterval(3600))
  }

  static func digest(of code: String) -> [UInt8] { Array(SHA256.hash(data: Array(code.utf8))) }
}

extension ProviderConfiguration {
  /// Whether the configuration contains what the token endpoint wants of its client.
  fileprivate var canExchangeCodes: Bool {
    id == .apple ? apple?.privateKey != nil : provesItself || isPublicClient
  }
}
