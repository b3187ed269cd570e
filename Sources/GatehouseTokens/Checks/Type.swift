import GatehouseModel

/// Checks that `typ` is one of the policy's types, or absent if the policy doesn't require it
/// (RFC 8725 §3.11: mutually exclusive kinds of JWT).
func checkType(_ header: TokenHeader, _ policy: TokenPolicy) throws(TokenError) {
  guard let type = header.type else {
    if policy.requiresType { throw TokenError(.type, expected: policy.types) }
    return
  }
  guard policy.types.contains(where: { isSameMediaType($0, type) }) else {
    throw TokenError(.type, expected: policy.types, received: [type])
  }
}

/// "Media type names are case insensitive". They are ASCII, so only A–Z is folded.
private func isSameMediaType(_ left: String, _ right: String) -> Bool {
  left.utf8.count == right.utf8.count
    && zip(left.utf8, right.utf8).allSatisfy { $0.asciiLowercased == $1.asciiLowercased }
}
