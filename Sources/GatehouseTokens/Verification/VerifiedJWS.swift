import Crypto

/// A JWS whose signature is good for a known key. Says nothing about what the payload means.
public struct VerifiedJWS: Sendable {
  public let header: TokenHeader
  public let payload: [UInt8]

  /// SHA-256 of the bytes before the second dot: what was signed. 32 bytes.
  public let signingInputSHA256: [UInt8]

  /// `issuer` of the key, where its set says whose tokens the key may sign.
  let keyIssuer: String?

  /// The only way to make one: checks the signature.
  init(_ jws: UnverifiedJWS, checkedWith key: VerificationKey) throws(TokenError) {
    // Also the digest that the commonest algorithms verify, so it is taken once.
    let digest = SHA256.hash(data: jws.signingInput)
    guard key.isValid(jws, sha256: digest) else { throw TokenError(.signature) }
    header = jws.header
    keyIssuer = key.issuer
    payload = jws.payload
    signingInputSHA256 = Array(digest)
  }
}
