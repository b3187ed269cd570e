package import Foundation
package import GatehouseModel

/// A signing key as it is stored. `SigningKeyRing` in `GatehouseTokens` decides when it signs.
package struct SigningKeyRecord: Sendable {
  package let keyID: String
  package let ring: Ring
  /// PKCS #8, DER. Encrypted at rest.
  package let privateKey: Secret<[UInt8]>
  package let publishedAt: Date
  /// When the key begins to sign, if that is ahead of the schedule: see `SigningKeyRing.rotateSoon(now:)`.
  package var signsFrom: Date?
  /// When the key began to sign; nil before.
  package var activatedAt: Date?
  /// When its successor took over; nil before.
  package var retiredAt: Date?

  /// The keys for one kind of token and one algorithm. One of them signs at a time.
  package enum Ring: String, Hashable, Sendable, CaseIterable {
    case idTokens
    case idTokensES256
    case sessionCookies
    case sessionCookiesES256
    /// Checkpoints of the event log.
    case eventLog

    package var algorithm: TokenAlgorithm {
      switch self {
      case .idTokens, .sessionCookies, .eventLog: .rs256
      case .idTokensES256, .sessionCookiesES256: .es256
      }
    }
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
  /// Writes the key, and replaces the one with its id. Increases ``Store/changeCounter()``.
  func save(_ key: SigningKeyRecord) throws
  /// Increases ``Store/changeCounter()``.
  func deleteSigningKey(_ keyID: String, of ring: SigningKeyRecord.Ring) throws
}

/// A key for administrators' scripts, stored as a hash.
package struct AdminKeyRecord: Hashable, Sendable {
  /// The first characters of the key, by which an operator recognises it. Not secret.
  package let prefix: String
  /// SHA-256 of the whole key. The key has 256 random bits, so a slow hash would add nothing.
  package let digest: [UInt8]
  /// The one project for which the key is valid; nil means all.
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
  /// Increases ``Store/changeCounter()``.
  func insert(_ key: AdminKeyRecord) throws
  /// Deletes the key with exactly this prefix, and no other key that begins with it. False if there
  /// is none. Increases ``Store/changeCounter()``.
  func deleteAdminKey(prefix: String) throws -> Bool
}

/// Values of the database as a whole.
package protocol ServerRecords {
  /// A named value, e.g. the mode stamp or the master key's check value.
  func serverValue(_ name: String) throws -> [UInt8]?
  func setServerValue(_ name: String, to value: [UInt8]) throws
  func removeServerValue(_ name: String) throws
  /// Tells all servers that another master key encrypts, and records the event. Increases
  /// ``Store/changeCounter()``.
  ///
  /// - Parameter name: The key's name, which is no secret.
  func announceMasterKey(_ name: String) throws
  /// The values whose names begin with `prefix`, by name.
  func serverValues(withPrefix prefix: String) throws -> [String: [UInt8]]
}
