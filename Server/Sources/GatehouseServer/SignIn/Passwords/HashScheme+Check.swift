import GatehouseProtocol

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
      case .hmac(let digest, _): count == digest.byteCount
      case .digest(.md5, _, _):
        count == Digest.md5.byteCount || Self.md5(ofHexadecimal: password.digest) != nil
      case .digest(let digest, _, _): count == digest.byteCount
      case .bcrypt: Self.isBcrypt(password.digest)
      }
    if !fits { throw .passwordHash }
  }

  /// The digest in a hash of the form that Google's service has for MD5; nil for another form.
  static func md5(ofHexadecimal hash: [UInt8]) -> [UInt8]? {
    guard hash.count == 2 * Digest.md5.byteCount else { return nil }
    return Hexadecimal.bytes(String(decoding: hash.map(\.asciiLowercased), as: UTF8.self))
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
