package import Foundation
package import GatehouseModel

/// A signing key as it is stored. When it signs is `SigningKeyRing`'s to say, in `GatehouseTokens`.
package struct SigningKeyRecord: Sendable {
  package let keyID: String
  package let ring: Ring
  /// PKCS #8, DER. Sealed at rest.
  package let privateKey: Secret<[UInt8]>
  package let publishedAt: Date
  /// When it takes over, where somebody wants that ahead of the schedule.
  package var signsFrom: Date?
  /// When it began to sign; nil while it waits.
  package var activatedAt: Date?
  /// When its successor took over; nil while it signs or waits.
  package var retiredAt: Date?

  package enum Ring: String, Hashable, Sendable, CaseIterable {
    case idTokens
    case sessionCookies
  }

  package init(
    keyID: String, ring: Ring, privateKey: Secret<[UInt8]>, publishedAt: Date,
    signsFrom: Date? = nil, activatedAt: Date? = nil, retiredAt: Date? = nil
  ) {
    self.signsFrom = signsFrom
    self.keyID = keyID
    self.ring = ring
    self.privateKey = privateKey
    self.publishedAt = publishedAt
    self.activatedAt = activatedAt
    self.retiredAt = retiredAt
  }
}

package protocol KeyRecords {
  /// The ring's keys, oldest first.
  func signingKeys(of ring: SigningKeyRecord.Ring) throws -> [SigningKeyRecord]
  /// Writes the key, replacing the one of its id. Counts as a change.
  func save(_ key: SigningKeyRecord) throws
  /// Counts as a change.
  func deleteSigningKey(_ keyID: String, of ring: SigningKeyRecord.Ring) throws
}

/// A key for administrators' scripts, stored as a hash.
package struct AdminKeyRecord: Hashable, Sendable {
  /// The first characters of the key, by which a person recognises it. Not secret.
  package let prefix: String
  /// SHA-256 of the whole key. The key has 256 random bits, so a slow hash would add nothing.
  package let digest: [UInt8]
  /// The one project it is good for; nil means all.
  package let project: ProjectID?
  package let role: AdministratorRole
  package let createdAt: Date
  package var expiresAt: Date?

  package init(
    prefix: String, digest: [UInt8], project: ProjectID?, role: AdministratorRole = .admin,
    createdAt: Date, expiresAt: Date?
  ) {
    self.prefix = prefix
    self.digest = digest
    self.project = project
    self.role = role
    self.createdAt = createdAt
    self.expiresAt = expiresAt
  }
}

package protocol AdminKeyRecords {
  func adminKey(digest: [UInt8]) throws -> AdminKeyRecord?
  func adminKeys() throws -> [AdminKeyRecord]
  /// Counts as a change.
  func insert(_ key: AdminKeyRecord) throws
  /// Deletes the key whose prefix is this, and no other that begins with it. False if there is
  /// none. Counts as a change.
  func deleteAdminKey(prefix: String) throws -> Bool
}

/// What the database says of itself.
package protocol ServerRecords {
  /// A named value, e.g. the mode stamp or the master key's check value.
  func serverValue(_ name: String) throws -> [UInt8]?
  func setServerValue(_ name: String, to value: [UInt8]) throws
}
