public import struct Foundation.Date

/// An assertion that ``AssertionVerifier`` verified: signed by the issuer's registered key, for us,
/// and valid at the given time. Only the verifier creates it.
public struct VerifiedAssertion: Sendable {
  public let claims: Claims

  /// The id of the key that verified it; `kid` may differ.
  public let keyID: String?

  /// SHA-256 of the bytes before the second dot, 32 bytes. Record it where an assertion may be used
  /// only once.
  public let signingInputSHA256: [UInt8]
  public let issuedAt: Date
  public let expiresAt: Date

  init(jws: VerifiedJWS, claims: Claims, keyID: String?, issuedAt: Date, expiresAt: Date) {
    signingInputSHA256 = jws.signingInputSHA256
    self.claims = claims
    self.keyID = keyID
    self.issuedAt = issuedAt
    self.expiresAt = expiresAt
  }

  /// `iss`, which equals the verifier's issuer.
  public var issuer: String { claims.string("iss") ?? "" }
}
