import Crypto
import Foundation
import GatehouseProtocol
import GatehouseTokens
import HTTPTypes

/// A proof that a request comes from the browser in which the session began (DPoP, RFC 9449). The browser keeps the
/// private key so that no script can read it: a stolen cookie is worth nothing elsewhere.
struct PossessionProof: Sendable {
  /// RFC 7638: SHA-256.
  let thumbprint: [UInt8]

  /// How far the times in proofs may be from the server's. The console follows the server's clock. Seconds. A proof
  /// that somebody reads works as long, together with the cookie, which no script can read.
  static let toleranceSeconds: TimeInterval = 60
  private static let maximumBytes = 2048

  /// - Throws: ``APIError/credentialRefused``.
  init(of request: HTTPRequest, at publicURL: String, now: Date) throws(APIError) {
    guard let text = request.headerFields[.dpop], text.utf8.count <= Self.maximumBytes,
      let path = request.path?.prefix(while: { $0 != "?" }),
      let header = text.utf8.split(separator: UInt8(ascii: "."), maxSplits: 1).first,
      let bytes = Base64URL.decode(String(decoding: header, as: UTF8.self)),
      let jwk = (try? JSONObject(parsing: bytes))?["jwk"]?.object,
      jwk["kty"]?.string == "EC", jwk["crv"]?.string == "P-256", jwk["d"] == nil,
      let x = jwk["x"]?.string, let y = jwk["y"]?.string,
      let keys = try? KeySet(
        jwks: Array(
          JSONValue.object([
            "keys": [["kty": "EC", "crv": "P-256", "x": .string(x), "y": .string(y)]]
          ]).text().utf8)),
      let jws = try? UnverifiedJWS(text), jws.header.algorithm == .es256,
      jws.header.type == "dpop+jwt",
      let verified = try? SignatureVerifier(keys: keys).verify(jws),
      let claims = try? JSONObject(parsing: verified.payload),
      let htm = claims["htm"]?.string, htm.hasSameBytes(as: request.method.rawValue),
      let htu = claims["htu"]?.string, htu.hasSameBytes(as: publicURL + path),
      let issuedAt = claims["iat"]?.int64,
      abs(now.timeIntervalSince1970 - Double(issuedAt)) <= Self.toleranceSeconds
    else { throw .credentialRefused }
    // RFC 7638 §3.2: the required members in the order of their names, without white space.
    let canonical = #"{"crv":"P-256","kty":"EC","x":"\#(x)","y":"\#(y)"}"#
    thumbprint = Array(SHA256.hash(data: Array(canonical.utf8)))
  }
}

extension HTTPField.Name {
  /// The literal is a valid token (RFC 9110 §5.6.2), so the fallback is never used.
  static let dpop = HTTPField.Name("dpop") ?? .authorization
}
