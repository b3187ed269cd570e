package import Foundation
package import GatehouseProtocol

/// A machine that acts for one project. The server has its public keys and verifies its signatures
/// with them.
package struct ServiceAccount: Hashable, Sendable {
  /// Unique on the server, because an assertion names its issuer but no project.
  package let email: EmailAddress
  package let project: ProjectID
  package var roles: Set<Role>
  package var keys: [Key]
  package let createdAt: Date

  /// The maximum number of keys. A token of the account may be checked with each of them.
  package static let maximumKeys = 10
  /// The maximum number of accounts in a project.
  package static let maximumPerProject = 100

  /// What the account's signature authorizes.
  package enum Role: String, Hashable, Sendable, CaseIterable {
    /// Its custom tokens sign users in.
    case customTokens
    /// It is an administrator of its project.
    case admin
  }

  /// A public key.
  package struct Key: Hashable, Sendable {
    /// `VerificationKey.keyID` of `GatehouseTokens`: a key has the same id in every account.
    package let id: String
    /// SubjectPublicKeyInfo (RFC 5280 §4.1.2.7), DER.
    package let spkiDER: [UInt8]
    package let createdAt: Date
    /// When the certificate that contained the key expires; nil: valid until it is deleted.
    package var expiresAt: Date?

    package init(id: String, spkiDER: [UInt8], createdAt: Date, expiresAt: Date?) {
      self.id = id
      self.spkiDER = spkiDER
      self.createdAt = createdAt
      self.expiresAt = expiresAt
    }

    /// Whether the key is valid after the end of another key, or for ever and the other one isn't.
    package func isValidLonger(than other: Key) -> Bool {
      guard let end = other.expiresAt else { return false }
      return expiresAt.map { $0 > end } ?? true
    }

    func isLive(at now: Date) -> Bool { expiresAt.map { now < $0 } ?? true }
  }

  package init(
    email: EmailAddress, project: ProjectID, roles: Set<Role>, keys: [Key] = [], createdAt: Date
  ) {
    self.email = email
    self.project = project
    self.roles = roles
    self.keys = keys
    self.createdAt = createdAt
  }

  /// Whether the account has the role, and the key is valid now.
  func may(_ role: Role, with keyID: String, now: Date) -> Bool {
    roles.contains(role) && keys.contains { $0.id.hasSameBytes(as: keyID) && $0.isLive(at: now) }
  }
}
