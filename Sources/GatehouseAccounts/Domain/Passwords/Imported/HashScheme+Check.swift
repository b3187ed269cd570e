import GatehouseModel

extension HashScheme {
  /// Checks that the scheme can have produced this hash, so that a sign-in can read it and its cost
  /// is bounded.
  ///
  /// - Throws: ``ImportRefusal/passwordHash`` or ``ImportRefusal/passwordSalt``.
  func check(_ password: ImportedPassword) throws(ImportRefusal) {
    if password.salt.count > Bounds.saltBytes { throw .passwordSalt }
    let count = password.digest.count
    let fits =
      switch algorithm {
      case .firebaseScrypt: count == key?.reveal().count
      case .scrypt(_, _, _, let length): count == length
      case .pbkdf2(let digest, let rounds):
        // Each of PBKDF2's blocks costs all rounds (RFC 8018 §5.2).
        Bounds.derivedBytes.contains(count)
          && Bounds.pbkdf2Rounds.contains(
            rounds * ((count + digest.byteCount - 1) / digest.byteCount))
      case .hmac(let digest, _), .digest(let digest, _, _): count == digest.byteCount
      case .bcrypt: Self.isBcrypt(password.digest)
      }
    if !fits { throw .passwordHash }
  }

  /// `$2b$12$` and 53 characters of bcrypt's base64. `$2x$` is excluded: it marks hashes of a
  /// broken implementation.
  private static func isBcrypt(_ hash: [UInt8]) -> Bool {
    let text = String(decoding: hash, as: UTF8.self)
    guard let match = text.wholeMatch(of: /\$2[aby]\$([0-9]{2})\$[.\/A-Za-z0-9]{53}/),
      let cost = Int(match.1)
    else { return false }
    return Bounds.bcryptCost.contains(cost)
  }
}
