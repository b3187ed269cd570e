import Crypto
package import Foundation
package import GatehouseProtocol
import GatehouseTokens

/// Access tokens of service accounts. A service account exchanges an assertion that it signed (RFC
/// 7523) for a token, with which it administers its project for an hour.
///
/// A token is `ght_` and 256 random bits, stored as a hash. It becomes invalid earlier if the account is
/// deleted, if the account loses the role `admin`, or if the key that signed the assertion is deleted or
/// expires.
package struct AccessTokens: Sendable {
  private let store: any Store

  /// How long a token is valid at most. Seconds.
  package static let lifetimeSeconds = 3600
  /// How many tokens an account can have. If it has more, those that expire first are removed.
  package static let maximumPerAccount = 1000
  /// The `aud` that google-auth for Python writes, whatever the address of the token endpoint is.
  private static let googleAudience = "https://oauth2.googleapis.com/token"

  package init(store: any Store) { self.store = store }

  package struct Issued: Sendable {
    package let text: Secret<String>
    package let expiresInSeconds: Int
  }

  /// Exchanges an assertion for an access token.
  ///
  /// An assertion with a `jti` can be used once (RFC 7523 §3, 7: the server "MAY ensure that JWTs
  /// are not replayed"). An assertion without `jti` may be used again until it expires, as Google's
  /// libraries expect.
  ///
  /// - Parameter audiences: The addresses of this server's token endpoint.
  /// - Throws: ``AssertionRefusal``.
  package func exchange(
    _ assertion: String, audiences: [String], now: Date
  ) async throws -> Issued {
    let signed = try await store.verifyAssertion(
      assertion, of: nil, audiences: audiences + [Self.googleAudience], requiresSubject: false,
      now: now)
    guard signed.account.roles.contains(.admin) else { throw AssertionRefusal.notAdministrator }
    let secret = RandomSecret(mark: .accessToken)
    return try await store.write { transaction in
      try signed.recheck(for: .admin, in: transaction, now: now)
      try signed.spend(in: transaction)
      let expiresAt = signed.end(of: now.addingTimeInterval(TimeInterval(Self.lifetimeSeconds)))
      try transaction.insert(
        AccessTokenRecord(
          digest: secret.digest, account: signed.account.email, keyID: signed.keyID,
          expiresAt: expiresAt))
      try transaction.trimAccessTokens(
        of: signed.account.email, keeping: Self.maximumPerAccount)
      return Issued(
        text: secret.text, expiresInSeconds: Int(expiresAt.timeIntervalSince(now)))
    }
  }

  /// The administrator who has the token; nil if there is none. The administrator's name is the service
  /// account's email.
  package func administrator(
    with bearer: Secret<String>, now: Date
  ) async throws -> Administrator? {
    guard let digest = RandomSecret.digest(of: bearer, mark: .accessToken) else { return nil }
    return try await store.read { transaction in
      guard let token = try transaction.accessToken(digest: digest), now < token.expiresAt,
        let account = try transaction.serviceAccount(token.account),
        account.may(.admin, with: token.keyID, now: now)
      else { return nil }
      return Administrator(
        name: account.email.text, role: .administrator, of: account.project)
    }
  }
}

extension SignedAssertion {
  fileprivate func spend(in transaction: Transaction) throws {
    guard token.claims.contains("jti") else { return }
    // An assertion is accepted for a minute after it expires.
    let record = SingleUseToken(
      digest: token.signingInputSHA256, acceptedUntil: token.expiresAt.addingTimeInterval(60))
    guard try transaction.spend(record, in: account.project) else { throw AssertionRefusal.used }
  }

  /// An access token expires no later than the key that signed its assertion.
  fileprivate func end(of wanted: Date) -> Date {
    let key = account.keys.first { $0.id.hasSameBytes(as: keyID) }
    return key?.expiresAt.map { min($0, wanted) } ?? wanted
  }
}
