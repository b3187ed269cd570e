package import Foundation
package import GatehouseModel

/// Service accounts, each with its keys.
package protocol ServiceAccountRecords {
  /// The account of that name, whichever project's it is.
  func serviceAccount(_ email: EmailAddress) throws -> ServiceAccount?
  /// In the order of their emails.
  func serviceAccounts(of project: ProjectID) throws -> [ServiceAccount]
  /// Writes the account, replacing roles and keys of the one that has its email. A key that stays
  /// keeps what hangs on it. Counts as a change.
  ///
  /// - Throws: ``StoreError/conflict(_:)`` with `serviceAccount` if the email is another project's.
  func save(_ account: ServiceAccount) throws
  /// Removes the account and everything that hangs on it; false if there is none. Counts as a
  /// change.
  func deleteServiceAccount(_ email: EmailAddress) throws -> Bool

  /// Keeps an access token for as long as its key is there.
  ///
  /// - Throws: ``StoreError/conflict(_:)`` if the account has no such key.
  func insert(_ token: AccessTokenRecord) throws
  func accessToken(digest: [UInt8]) throws -> AccessTokenRecord?
  /// Removes the account's access tokens that end first, beyond `count`.
  func trimAccessTokens(of account: EmailAddress, keeping count: Int) throws
  /// Removes at most `limit` access tokens that are over; answers how many went.
  func sweepAccessTokens(now: Date, limit: Int) throws -> Int
}

/// What a service account administers with, stored as a hash.
package struct AccessTokenRecord: Hashable, Sendable {
  /// SHA-256 of the whole token.
  package let digest: [UInt8]
  package let account: EmailAddress
  /// The key that it was asked for with.
  package let keyID: String
  package let expiresAt: Date

  package init(digest: [UInt8], account: EmailAddress, keyID: String, expiresAt: Date) {
    self.digest = digest
    self.account = account
    self.keyID = keyID
    self.expiresAt = expiresAt
  }
}
