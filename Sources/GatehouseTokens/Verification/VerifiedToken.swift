public import struct Foundation.Date

/// An ID token that ``TokenVerifier`` verified: signed by the configured issuer, for us, and valid
/// at the given time. Only the verifier creates it.
///
/// The nonce and the hashes of OpenID Connect must still be checked where they apply: see the
/// functions `check…`.
public struct VerifiedToken: Sendable {
  public let claims: Claims

  /// The claims' bytes as they were signed.
  public let payload: [UInt8]

  /// SHA-256 of the bytes before the second dot, 32 bytes. Record it where a token may be used only
  /// once.
  ///
  /// It doesn't include the signature: anyone can turn an ECDSA signature into a different one that
  /// is also valid.
  public let signingInputSHA256: [UInt8]

  /// `sub`: without NUL, not longer than ``TokenPolicy/maximumSubjectBytes``. Compare it byte for byte.
  public let subject: String
  public let expiresAt: Date
  public let issuedAt: Date

  /// The hash function of the token's `alg`, for `at_hash` and `c_hash`.
  let hash: TokenHash

  init(_ proof: Authentication, claims: Claims, subject: String, expiresAt: Date, issuedAt: Date) {
    payload = proof.payload
    signingInputSHA256 = proof.signingInputSHA256
    hash = proof.hash
    self.claims = claims
    self.subject = subject
    self.expiresAt = expiresAt
    self.issuedAt = issuedAt
  }

  /// `iss`, one of the issuers that the policy accepts.
  public var issuer: String { claims.string("iss") ?? "" }

  /// `aud`, which contains one of the policy's audiences.
  public var audiences: [String] { claims.strings("aud") ?? [] }

  /// `auth_time`: when the user last authenticated at the issuer, if the token says so.
  public var authenticatedAt: Date? { claims.date("auth_time") }

  /// Whether the token is bound to a request by a nonce.
  public var hasNonce: Bool { claims.has("nonce") }
}

extension VerifiedToken {
  /// The bytes that a key or a secret authenticates, before the claims are checked.
  struct Authentication {
    let payload: [UInt8]
    let signingInputSHA256: [UInt8]
    let hash: TokenHash
    /// See ``VerifiedJWS/keyIssuer``.
    var keyIssuer: String?
  }
}

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
