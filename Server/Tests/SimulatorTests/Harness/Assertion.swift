import Crypto
import Foundation

/// A client assertion as an app's server signs it (RFC 7523). Each part can be made invalid.
struct Assertion: Sendable {
  var key = P256.Signing.PrivateKey()
  var algorithm = "ES256"
  var keyID: String? = "key-1"
  var issuer = "client-1"
  var subject = "client-1"
  var audience: [String]
  var expiry: Int? = 1_750_000_300
  var id: String? = "jti-1"

  func text() throws -> String {
    var header: [String: Any] = ["alg": algorithm]
    header["kid"] = keyID
    var claims: [String: Any] = ["iss": issuer, "sub": subject, "iat": 1_750_000_000]
    claims["aud"] = audience.count == 1 ? audience[0] as Any : audience
    claims["exp"] = expiry
    claims["jti"] = id
    return try SignedJWT.text(header: header, claims: claims, key)
  }

  /// The public key as a JWK.
  var jwk: String {
    let point = key.publicKey.rawRepresentation
    return """
      {"kty":"EC","crv":"P-256","kid":"key-1","x":"\(IDToken.encode(point.prefix(32)))",
       "y":"\(IDToken.encode(point.suffix(32)))"}
      """
  }
}
