import Crypto

/// A JWS whose signature was verified with a known key. The payload is not checked.
public struct VerifiedJWS: Sendable {
  public let header: TokenHeader
  public let payload: [UInt8]

  /// SHA-256 of the bytes before the second dot: what was signed. 32 bytes.
  public let signingInputSHA256: [UInt8]

  /// The key's member `issuer`, if its key set says for which issuer the key may sign.
  let keyIssuer: String?

  /// Checks the signature. There is no other initializer.
  init(_ jws: UnverifiedJWS, checkedWith key: VerificationKey) throws(TokenError) {
    // The most common algorithms verify this same digest, so it is computed once.
    let digest = SHA256.hash(data: jws.signingInput)
    guard key.isValid(jws, sha256: digest) else { throw TokenError(.signature) }
    header = jws.header
    keyIssuer = key.issuer
    payload = jws.payload
    signingInputSHA256 = Array(digest)
  }
}

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
