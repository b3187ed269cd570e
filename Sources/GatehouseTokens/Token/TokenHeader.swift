import GatehouseJSON

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

  init(parsing bytes: [UInt8], limits: JSONLimits) throws(TokenError) {
    let object: JSONObject
    do throws(JSONError) {
      object = try JSONObject(parsing: bytes, limits: limits)
    } catch {
      throw TokenError(.header)
    }
    // "If any of the listed extension Header Parameters are not understood and supported by the
    // recipient, then the JWS is invalid" (§4.1.11). None is supported, so any `crit` is refused.
    guard object["crit"] == nil else { throw TokenError(.criticalHeader) }
    guard let name = object["alg"]?.string else { throw TokenError(.header) }
    guard let algorithm = SignatureAlgorithm(name: name) else {
      throw TokenError(.algorithmUnsupported, received: [name])
    }
    self.algorithm = algorithm
    keyID = try Self.string("kid", of: object)
    type = try Self.string("typ", of: object)
  }

  private static func string(
    _ name: String, of object: JSONObject
  ) throws(TokenError) -> String? {
    guard let value = object[name] else { return nil }
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
