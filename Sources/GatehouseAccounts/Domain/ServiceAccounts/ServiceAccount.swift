package import Foundation
package import GatehouseModel

/// A machine that acts for one project, known by the public keys whose private halves it holds.
package struct ServiceAccount: Hashable, Sendable {
  /// Unique on the server: an assertion names its issuer and no project.
  package let email: EmailAddress
  package let project: ProjectID
  package var roles: Set<Role>
  package var keys: [Key]
  package let createdAt: Date

  /// So many keys at most; each token that it signs may be tried with all of them.
  package static let maximumKeys = 10
  /// So many accounts in a project at most.
  package static let maximumPerProject = 100

  /// What the account's signature is good for.
  package enum Role: String, Hashable, Sendable, CaseIterable {
    /// Its custom tokens sign persons in.
    case customTokens
    /// It is an administrator of its project.
    case admin
  }

  /// A public key.
  package struct Key: Hashable, Sendable {
    /// `VerificationKey.keyID` of `GatehouseTokens`: the same key has the same id in every account.
    package let id: String
    /// SubjectPublicKeyInfo (RFC 5280 §4.1.2.7), DER.
    package let spkiDER: [UInt8]
    package let createdAt: Date
    /// When the certificate that it came in ends; nil: when it is deleted.
    package var expiresAt: Date?

    package init(id: String, spkiDER: [UInt8], createdAt: Date, expiresAt: Date?) {
      self.id = id
      self.spkiDER = spkiDER
      self.createdAt = createdAt
      self.expiresAt = expiresAt
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

  /// Whether what this key signs is good for the role now.
  func may(_ role: Role, with keyID: String, now: Date) -> Bool {
    roles.contains(role) && keys.contains { $0.id.hasSameBytes(as: keyID) && $0.isLive(at: now) }
  }
}
