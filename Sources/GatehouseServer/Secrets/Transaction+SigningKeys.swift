import GatehouseModel

extension Transaction {
  func signingKeys(of ring: SigningKeyRecord.Ring) throws -> [SigningKeyRecord] {
    try connection.all(KeySQL.signingKeys, .text(ring.rawValue)) { row in
      let keyID = try row.text(0)
      return SigningKeyRecord(
        keyID: keyID, ring: ring,
        privateKey: Secret(try sealing.open(row.blob(1), at: Self.place(of: keyID, in: ring))),
        publishedAt: row.time(2), signsFrom: row.optionalTime(5), activatedAt: row.optionalTime(3),
        retiredAt: row.optionalTime(4))
    }
  }

  func save(_ key: SigningKeyRecord) throws {
    let sealed = try sealing.seal(
      key.privateKey.reveal(), at: Self.place(of: key.keyID, in: key.ring))
    try connection.run(
      KeySQL.saveSigningKey, .text(key.ring.rawValue), .text(key.keyID), .blob(sealed),
      .time(key.publishedAt), .optional(key.activatedAt), .optional(key.retiredAt),
      .optional(key.signsFrom))
    try recordSetting(SettingName("signing key", key.keyID), in: nil)
  }

  func deleteSigningKey(_ keyID: String, of ring: SigningKeyRecord.Ring) throws {
    try connection.run(KeySQL.deleteSigningKey, .text(ring.rawValue), .text(keyID))
    try recordSetting(SettingName("signing key", keyID), .deleted, in: nil)
  }

  private static func place(of keyID: String, in ring: SigningKeyRecord.Ring) -> SealedPlace {
    SealedPlace(.signingKey, project: "", row: "\(ring.rawValue)/\(keyID)")
  }
}
