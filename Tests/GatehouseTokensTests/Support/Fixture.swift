import Foundation
import GatehouseProtocol
import GatehouseTokens

/// An issuer with one RSA key, a valid token from it, and a policy that accepts the token.
enum Fixture {
  static let now = Date(timeIntervalSince1970: 1_700_000_000)
  static let issuer = "https://id.example.com"
  static let audience = "com.example.app"

  /// Generated once, because that takes some tenths of a second.
  private static let generated = Result { try RSASigningKey.generate() }
  static var key: RSASigningKey { get throws { try generated.get() } }

  private static let otherGenerated = Result { try RSASigningKey.generate() }
  static var otherKey: RSASigningKey { get throws { try otherGenerated.get() } }

  static var keys: KeySet { get throws { KeySet([VerificationKey(try key)]) } }

  static var policy: TokenPolicy {
    TokenPolicy(issuers: [issuer], audiences: [audience], algorithms: [.rs256])
  }

  /// Issued ten seconds ago, for an hour.
  static var claims: JSONObject {
    [
      "iss": .string(issuer), "aud": .string(audience), "sub": "person-1",
      "iat": 1_699_999_990, "exp": 1_700_003_590,
    ]
  }

  static var header: JSONObject {
    get throws { ["alg": "RS256", "kid": .string(try key.keyID), "typ": "JWT"] }
  }

  static func with(_ object: JSONObject, _ change: (inout JSONObject) -> Void) -> JSONObject {
    var object = object
    change(&object)
    return object
  }

  /// A token with these bytes for header and payload, signed with the issuer's key.
  static func token(header: [UInt8], payload: [UInt8]) throws -> String {
    try token(header: header, payload: payload, signer: RS256Signer(key: try key))
  }

  static func token(
    header: [UInt8], payload: [UInt8], signer: some TokenSigner
  ) throws -> String {
    let input = Base64URL.encode(header) + "." + Base64URL.encode(payload)
    return input + "." + Base64URL.encode(try signer.sign(Array(input.utf8)))
  }

  /// The valid token with other claims.
  static func token(claims change: (inout JSONObject) -> Void = { _ in }) throws -> String {
    try token(
      header: try header.serialized(), payload: with(claims, change).serialized())
  }

  /// The valid token with another header.
  static func token(header change: (inout JSONObject) -> Void) throws -> String {
    try token(
      header: with(try header, change).serialized(), payload: claims.serialized())
  }

  @discardableResult
  static func verify(
    _ token: String, keys: KeySet? = nil, policy: TokenPolicy = policy, now: Date = now
  ) throws -> VerifiedToken {
    try TokenVerifier(policy: policy).verify(
      try UnverifiedToken(token), keys: try keys ?? self.keys, now: now)
  }

  /// The valid token with changed claims, verified.
  @discardableResult
  static func verify(
    policy: TokenPolicy = policy, now: Date = now, claims change: (inout JSONObject) -> Void
  ) throws -> VerifiedToken {
    try verify(try token(claims: change), policy: policy, now: now)
  }
}

/// The code of the ``TokenError``; nil if there was no error or another one.
func refusal(_ body: () throws -> some Any) -> TokenError.Code? {
  do {
    _ = try body()
    return nil
  } catch {
    return (error as? TokenError)?.code
  }
}
