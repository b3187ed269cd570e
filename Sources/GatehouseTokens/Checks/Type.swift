import GatehouseProtocol

/// Checks that `typ` is one of the policy's types, or absent if the policy doesn't require it
/// (RFC 8725 §3.11: mutually exclusive kinds of JWT).
func checkType(_ type: String?, _ policy: TokenPolicy) throws(TokenError) {
  guard let type else {
    if policy.requiresType { throw TokenError(.type, expected: policy.types) }
    return
  }
  guard policy.types.contains(where: { isSameMediaType($0, type) }) else {
    throw TokenError(.type, expected: policy.types, received: [type])
  }
}

/// "Media type names are case insensitive". They are ASCII, so only A–Z is folded.
///
/// "A recipient using the media type value MUST treat it as if "application/" were prepended to any
/// "typ" value not containing a '/'" (RFC 7515 §4.1.9): `application/jwt` is `JWT`.
private func isSameMediaType(_ left: String, _ right: String) -> Bool {
  func name(_ type: String) -> [UInt8] {
    (type.utf8.contains(UInt8(ascii: "/")) ? Array(type.utf8) : Array("application/\(type)".utf8))
      .map(\.asciiLowercased)
  }
  return name(left) == name(right)
}
