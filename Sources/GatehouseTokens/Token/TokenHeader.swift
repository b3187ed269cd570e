import GatehouseProtocol

/// The members of a JOSE header that are used here (RFC 7515 §4.1).
///
/// `jwk`, `jku`, `x5u` and `x5c` are ignored: keys come from configuration, never from the token.
/// Unknown members are ignored, as §4 requires.
public struct TokenHeader: Sendable, Hashable {
  public let algorithm: SignatureAlgorithm

  /// `kid`, compared byte for byte.
  public let keyID: String?

  /// `typ`, unchanged.
  public let type: String?

  public static func == (left: TokenHeader, right: TokenHeader) -> Bool {
    left.algorithm == right.algorithm && optionalBytesEqual(left.keyID, right.keyID)
      && optionalBytesEqual(left.type, right.type)
  }

  /// The header of a token by this key.
  init(algorithm: SignatureAlgorithm, keyID: String?) {
    self.algorithm = algorithm
    self.keyID = keyID
    type = nil
  }

  init(_ object: JSONObject) throws(TokenError) {
    guard let name = object["alg"]?.string else { throw TokenError(.header) }
    guard let algorithm = SignatureAlgorithm(name: name) else {
      throw TokenError(.algorithmUnsupported, received: [name])
    }
    self.algorithm = algorithm
    keyID = try Self.optionalString("kid", of: object)
    type = try Self.optionalString("typ", of: object)
  }

  static func optionalString(
    _ name: String, of object: JSONObject
  ) throws(TokenError) -> String? {
    guard let value = object.optional(name) else { return nil }
    guard let string = value.string else { throw TokenError(.header) }
    return string
  }
}

private func optionalBytesEqual(_ left: String?, _ right: String?) -> Bool {
  switch (left, right) {
  case (nil, nil): true
  case (let left?, let right?): left.utf8.elementsEqual(right.utf8)
  default: false
  }
}
