import Crypto
import CryptoExtras
import Foundation
import Testing

/// An ID token, read without the simulator's code.
struct IDToken: Sendable {
  let header: JSONText
  let claims: JSONText
  private let signingInput: String
  private let signature: Data

  init(_ token: String?) throws {
    let parts = try #require(token).split(separator: ".", omittingEmptySubsequences: false)
    try #require(parts.count == 3)
    header = JSONText(try #require(Self.decode(parts[0])))
    claims = JSONText(try #require(Self.decode(parts[1])))
    signature = try #require(Self.decode(parts[2]))
    signingInput = "\(parts[0]).\(parts[1])"
  }

  /// Whether a key of the set with the token's `kid` verifies it.
  func isSigned(by keySet: Reply) throws -> Bool {
    let keyID = header.string("kid")
    guard let jwk = keySet.json.objects("keys").first(where: { $0.string("kid") == keyID }) else {
      return false
    }
    #expect(jwk.string("kty") == "RSA")
    let key = try _RSA.Signing.PublicKey(
      n: try #require(jwk.string("n").flatMap(Self.decode)),
      e: try #require(jwk.string("e").flatMap(Self.decode)))
    return key.isValidSignature(
      _RSA.Signing.RSASignature(rawRepresentation: signature), for: Data(signingInput.utf8),
      padding: .insecurePKCS1v1_5)
  }

  func isSignedES256(by jwk: JSONText) throws -> Bool {
    #expect(jwk.string("kty") == "EC")
    let x = try #require(jwk.string("x").flatMap(Self.decode))
    let y = try #require(jwk.string("y").flatMap(Self.decode))
    let key = try P256.Signing.PublicKey(rawRepresentation: x + y)
    let signature = try P256.Signing.ECDSASignature(rawRepresentation: signature)
    return key.isValidSignature(signature, for: Data(signingInput.utf8))
  }

  func isSignedHS256(with secret: String) -> Bool {
    HMAC<SHA256>.isValidAuthenticationCode(
      signature, authenticating: Data(signingInput.utf8),
      using: SymmetricKey(data: Data(secret.utf8)))
  }

  var hasEmptySignature: Bool { signature.isEmpty }

  /// The correct `c_hash` or `at_hash` of `text`.
  static func halfHash(_ text: String?) throws -> String {
    encode(Data(SHA256.hash(data: Data(try #require(text).utf8)).prefix(16)))
  }

  static func encode(_ data: Data) -> String {
    data.base64EncodedString().replacing("+", with: "-").replacing("/", with: "_")
      .replacing("=", with: "")
  }

  private static func decode(_ text: some StringProtocol) -> Data? {
    let standard = String(text).replacing("-", with: "+").replacing("_", with: "/")
    let padding = String(repeating: "=", count: (4 - standard.count % 4) % 4)
    return Data(base64Encoded: standard + padding)
  }
}
