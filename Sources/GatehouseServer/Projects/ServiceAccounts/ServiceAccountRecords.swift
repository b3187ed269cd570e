package import Foundation
package import GatehouseModel

/// Service accounts, each with its keys.
package protocol ServiceAccountRecords {
  /// The account with this email, in any project.
  func serviceAccount(_ email: EmailAddress) throws -> ServiceAccount?
  /// In the order of their emails.
  func serviceAccounts(of project: ProjectID) throws -> [ServiceAccount]
  /// Writes the account. If one with its email exists, its roles and keys are replaced. The access
  /// tokens of a key that it had before and still has stay. Increases ``Store/changeCounter()``.
  ///
  /// - Throws: ``StoreError/conflict(_:)`` with `serviceAccount` if another project has the email.
  func save(_ account: ServiceAccount) throws
  /// Removes the account and all rows that depend on it; false if there is none. Increases
  /// ``Store/changeCounter()``.
  func deleteServiceAccount(_ email: EmailAddress) throws -> Bool

  /// Stores an access token. It is removed with its key.
  ///
  /// - Throws: ``StoreError/conflict(_:)`` if the account has no such key.
  func insert(_ token: AccessTokenRecord) throws
  func accessToken(digest: [UInt8]) throws -> AccessTokenRecord?
  /// Removes the access tokens that expire first, until the account has at most `count`.
  func trimAccessTokens(of account: EmailAddress, keeping count: Int) throws
  /// Removes at most `limit` expired access tokens; returns how many were removed.
  func sweepAccessTokens(now: Date, limit: Int) throws -> Int
}

/// An access token of a service account, stored as a hash.
package struct AccessTokenRecord: Hashable, Sendable {
  /// SHA-256 of the whole token.
  package let digest: [UInt8]
  package let account: EmailAddress
  /// The key that signed the assertion for which the token was issued.
  package let keyID: String
  package let expiresAt: Date

  package init(digest: [UInt8], account: EmailAddress, keyID: String, expiresAt: Date) {
    self.digest = digest
    self.account = account
    self.keyID = keyID
    self.expiresAt = expiresAt
  }
}
