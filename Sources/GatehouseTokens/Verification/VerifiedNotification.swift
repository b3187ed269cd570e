public import struct Foundation.Date

/// A notification that ``TokenVerifier`` verified. It is a separate type, so that it can't sign a
/// user in.
public struct VerifiedNotification: Sendable {
  public let header: TokenHeader
  public let claims: Claims

  /// SHA-256 of the bytes before the second dot, 32 bytes: identifies repeated notifications.
  public let signingInputSHA256: [UInt8]
  public let issuedAt: Date

  init(jws: VerifiedJWS, claims: Claims, issuedAt: Date) {
    header = jws.header
    signingInputSHA256 = jws.signingInputSHA256
    self.claims = claims
    self.issuedAt = issuedAt
  }

  public var issuer: String { claims.string("iss") ?? "" }
  public var audiences: [String] { claims.strings("aud") ?? [] }
}
