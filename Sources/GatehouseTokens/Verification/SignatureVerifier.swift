/// Checks signatures alone: whose keys, not what for.
///
/// Looks at no claim and not at `typ`: what it lets through is signed with one of the keys, and
/// that is all. For tokens that decide anything use ``TokenVerifier``.
public struct SignatureVerifier: Sendable {
  public let keys: KeySet

  public init(keys: KeySet) { self.keys = keys }

  /// - Throws: ``TokenError`` with one of the `key…` codes or ``TokenError/Code/signature``.
  public func verify(_ jws: UnverifiedJWS) throws(TokenError) -> VerifiedJWS {
    let key = try keys.key(for: jws.header)
    return try VerifiedJWS(jws, checkedWith: key)
  }
}
