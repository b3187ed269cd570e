package import struct Foundation.Date
package import GatehouseProtocol

extension Transaction {
  /// Tells all servers that another master key encrypts, and records the event. Increases
  /// ``Store/changeCounter()``.
  ///
  /// - Parameter name: The key's name, which is no secret.
  package func announceMasterKey(_ name: String) throws {
    try recordSetting(SettingName("master key", name), in: nil)
  }

  /// The ring's keys, oldest first.
  package func signingKeys(of ring: SigningKeyRecord.Ring) throws -> [SigningKeyRecord] {
    try connection.all(KeySQL.signingKeys, .text(ring.rawValue)) { row in
      let keyID = try row.text(0)
      return SigningKeyRecord(
        keyID: keyID, ring: ring,
        privateKey: Secret(try sealing.open(row.blob(1), at: Self.place(of: keyID, in: ring))),
        publishedAt: row.time(2), signsFrom: row.optionalTime(5), activatedAt: row.optionalTime(3),
        retiredAt: row.optionalTime(4))
    }
  }

  /// Writes the key, and replaces the one with its id. Increases ``Store/changeCounter()``.
  package func save(_ key: SigningKeyRecord) throws {
    let sealed = try sealing.seal(
      key.privateKey.reveal(), at: Self.place(of: key.keyID, in: key.ring))
    try changeSigningKey(key.keyID, of: key.ring) {
      try connection.run(
        KeySQL.saveSigningKey, .text(key.ring.rawValue), .text(key.keyID), .blob(sealed),
        .time(key.publishedAt), .optional(key.activatedAt), .optional(key.retiredAt),
        .optional(key.signsFrom))
    }
  }

  /// Increases ``Store/changeCounter()``.
  package func deleteSigningKey(_ keyID: String, of ring: SigningKeyRecord.Ring) throws {
    try changeSigningKey(keyID, of: ring) {
      try connection.run(KeySQL.deleteSigningKey, .text(ring.rawValue), .text(keyID))
    }
  }

  private func changeSigningKey(
    _ keyID: String, of ring: SigningKeyRecord.Ring, _ change: () throws -> Void
  ) throws {
    try changeSetting(
      SettingName("signing key", keyID), in: nil,
      reading: { try signingKeys(of: ring).first { $0.keyID.hasSameBytes(as: keyID) } }, change)
  }

  private static func place(of keyID: String, in ring: SigningKeyRecord.Ring) -> SealedPlace {
    SealedPlace(.signingKey, project: "", row: "\(ring.rawValue)/\(keyID)")
  }
}

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
