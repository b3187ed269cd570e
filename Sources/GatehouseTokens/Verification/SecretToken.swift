import Crypto
import GatehouseProtocol

/// An ID token with the `alg` `HS256`, which is signed with the client's secret (OpenID Connect Core
/// §10.1). Only its form is checked.
///
/// Everyone who knows the secret can write such a token. It says who the user is only if this server
/// received it itself, over TLS, from the provider's token endpoint (§3.1.3.7, 6 and 8). **Create it
/// from such a response only.** It is a separate type, so that the two kinds of keys can't be
/// confused: ``UnverifiedToken`` never has this `alg`, and no key of a ``KeySet`` verifies this type.
///
/// `HS384` and `HS512` are not supported.
public struct UnverifiedSecretToken: Sendable {
  let claims: Claims
  /// `typ`, unchanged.
  let type: String?
  fileprivate let parts: CompactParts

  /// - Returns: Nil if the `alg` is another one: see ``UnverifiedToken``.
  /// - Throws: ``TokenError`` as ``UnverifiedToken`` does.
  public init?(_ compact: String, limits: TokenLimits = .standard) throws(TokenError) {
    guard compact.utf8.count <= limits.bytes else { throw TokenError(.tooLong) }
    parts = try CompactParts(Array(compact.utf8), limits: limits)
    guard parts.header["alg"]?.string?.hasSameBytes(as: "HS256") == true else { return nil }
    type = try TokenHeader.optionalString("typ", of: parts.header)
    claims = try Claims(parsing: parts.payload, limits: limits)
  }
}

/// The configured secret of a client, as the key of `HS256`. Nothing else is ever used as such a key.
public struct ClientSecretKey: Sendable {
  /// "A key of the same size as the hash output … or larger MUST be used" (RFC 7518 §3.2).
  public static let minimumBytes = 32

  private let key: SymmetricKey

  /// - Parameter secret: "The octets of the UTF-8 representation of the client_secret" are the key
  ///   (OpenID Connect Core §10.1).
  /// - Throws: ``TokenError`` with ``TokenError/Code/secretTooShort``.
  public init(_ secret: String) throws(TokenError) {
    guard secret.utf8.count >= Self.minimumBytes else {
      throw TokenError(.secretTooShort, expected: [String(Self.minimumBytes)])
    }
    key = SymmetricKey(data: Array(secret.utf8))
  }

  /// - Throws: ``TokenError`` with ``TokenError/Code/signature``.
  func authenticate(
    _ token: UnverifiedSecretToken
  ) throws(TokenError) -> VerifiedToken.Authentication {
    let parts = token.parts
    // Compares in constant time, and refuses a shortened code.
    guard
      HMAC<SHA256>.isValidAuthenticationCode(
        parts.signature, authenticating: parts.signingInput, using: key)
    else { throw TokenError(.signature) }
    return VerifiedToken.Authentication(
      payload: parts.payload, signingInputSHA256: Array(SHA256.hash(data: parts.signingInput)),
      hash: .sha256)
  }
}
