/// Checks only signatures: that a token is signed with one of the keys.
///
/// Checks neither claims nor `typ`. Use ``TokenVerifier`` wherever a decision depends on the token.
public struct SignatureVerifier: Sendable {
  public let keys: KeySet

  public init(keys: KeySet) { self.keys = keys }

  /// - Throws: ``TokenError`` with one of the `key…` codes or ``TokenError/Code/signature``.
  public func verify(_ jws: UnverifiedJWS) throws(TokenError) -> VerifiedJWS {
    let key = try keys.key(for: jws.header)
    return try VerifiedJWS(jws, checkedWith: key)
  }
}
