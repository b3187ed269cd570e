public import struct Foundation.Date

/// An ID token that ``TokenVerifier`` found good: signed by the configured issuer, for us, and
/// valid at the time that was given.
///
/// Nothing else makes one. The nonce and the hashes of OpenID Connect are still to be checked where
/// they apply: see the functions `check…`.
public struct VerifiedToken: Sendable {
  public let header: TokenHeader
  public let claims: Claims

  /// The claims' bytes as they were signed.
  public let payload: [UInt8]

  /// SHA-256 of the bytes before the second dot, 32 bytes: the record of a token's single use.
  ///
  /// Not of the whole token: anyone can turn an ECDSA signature into another that verifies.
  public let signingInputSHA256: [UInt8]

  /// `sub`: 1 to 255 bytes without NUL, compared byte for byte.
  public let subject: String
  public let expiresAt: Date
  public let issuedAt: Date

  init(jws: VerifiedJWS, claims: Claims, subject: String, expiresAt: Date, issuedAt: Date) {
    header = jws.header
    payload = jws.payload
    signingInputSHA256 = jws.signingInputSHA256
    self.claims = claims
    self.subject = subject
    self.expiresAt = expiresAt
    self.issuedAt = issuedAt
  }

  /// `iss`, which is one of the policy's.
  public var issuer: String { claims.string("iss") ?? "" }

  /// `aud`, which holds one of the policy's.
  public var audiences: [String] { claims.strings("aud") ?? [] }

  /// `auth_time`: when the person proved themselves to the issuer, if it says so.
  public var authenticatedAt: Date? { claims.date("auth_time") }

  /// Whether the token is bound to a request by a nonce.
  public var hasNonce: Bool { claims.contains("nonce") }
}
