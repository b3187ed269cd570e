public import struct Foundation.Date

/// What ``AssertionVerifier`` found good: signed by the issuer's registered key, for us, and valid at
/// the time that was given. Nothing else makes one.
public struct VerifiedAssertion: Sendable {
  public let claims: Claims

  /// The key that verified it, whatever `kid` says.
  public let keyID: String?

  /// SHA-256 of the bytes before the second dot, 32 bytes: the record of an assertion's single use.
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

  /// `iss`, which is the verifier's.
  public var issuer: String { claims.string("iss") ?? "" }
}
