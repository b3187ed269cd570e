import Crypto
package import Foundation
package import GatehouseModel
import GatehouseTokens

/// Access tokens of service accounts: an hour's administration of their project, for an assertion
/// that they signed (RFC 7523).
///
/// A token is `ght_` and 256 random bits, stored as a hash, and ends with the account, the key that
/// it was asked for with, or the role.
package struct AccessTokens: Sendable {
  private let store: any Store

  /// Seconds.
  package static let lifetimeSeconds = 3600
  /// An account's tokens beyond this many end, those first that would end first.
  package static let maximumPerAccount = 1000
  /// What google-auth for Python names as `aud`, whatever the token endpoint is.
  private static let googleAudience = "https://oauth2.googleapis.com/token"

  package init(store: any Store) { self.store = store }

  package struct Issued: Sendable {
    package let text: Secret<String>
    package let expiresInSeconds: Int
  }

  /// Exchanges an assertion for an access token.
  ///
  /// An assertion with a `jti` is good once (RFC 7523 §3, 7: the server "MAY ensure that JWTs are not
  /// replayed"); one without may be used until it ends, as Google's libraries expect.
  ///
  /// - Parameter audiences: Our token endpoint's addresses.
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

  /// Whether the token is an administrator's of any project at all.
  package func isGood(_ bearer: Secret<String>, now: Date) async throws -> Bool {
    guard let digest = RandomSecret.digest(of: bearer, mark: .accessToken) else { return false }
    return try await store.read { transaction in
      guard let token = try transaction.accessToken(digest: digest), now < token.expiresAt,
        let account = try transaction.serviceAccount(token.account)
      else { return false }
      return account.may(.admin, with: token.keyID, now: now)
    }
  }

  /// The role of a token's bearer in the project; nil if it has none there.
  package func role(
    of bearer: Secret<String>, in project: ProjectID, now: Date
  ) async throws -> AdministratorRole? {
    guard let digest = RandomSecret.digest(of: bearer, mark: .accessToken) else { return nil }
    return try await store.read { transaction in
      guard let token = try transaction.accessToken(digest: digest), now < token.expiresAt,
        let account = try transaction.serviceAccount(token.account), account.project == project,
        account.may(.admin, with: token.keyID, now: now)
      else { return nil }
      return .admin
    }
  }
}

extension SignedAssertion {
  fileprivate func spend(in transaction: any StoreTransaction) throws {
    guard token.claims.contains("jti") else { return }
    // Accepted for a minute after its end.
    let record = SingleUseToken(
      digest: token.signingInputSHA256, expiresAt: token.expiresAt.addingTimeInterval(60))
    guard try transaction.spend(record, in: account.project) else { throw AssertionRefusal.used }
  }

  /// No access token outlives the key that it was asked for with.
  fileprivate func end(of wanted: Date) -> Date {
    let key = account.keys.first { $0.id.hasSameBytes(as: keyID) }
    return key?.expiresAt.map { min($0, wanted) } ?? wanted
  }
}
