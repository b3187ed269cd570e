import Foundation
import GatehouseProtocol
import GatehouseTokens
import Testing

@testable import GatehouseVerifier

/// The keys of a project's production server, and a valid token from it.
enum Fixture {
  static let now = Date(timeIntervalSince1970: 1_700_000_000)
  static let issuer = "https://auth.example.com/my-app"
  static let project = "my-app"

  /// Generated once, because that takes some tenths of a second.
  private static let generated = Result { try RSASigningKey.generate() }
  static var key: RSASigningKey { get throws { try generated.get() } }

  private static let otherGenerated = Result { try RSASigningKey.generate() }
  static var otherKey: RSASigningKey { get throws { try otherGenerated.get() } }

  static var configuration: VerifierConfiguration {
    get throws {
      try VerifierConfiguration(
        publicURL: "https://auth.example.com", projectID: project, apiKey: "gk_1")
    }
  }

  /// A response with these keys, valid for an hour like the server's.
  static func keySet(_ keys: RSASigningKey...) throws -> ServerResponse {
    ServerResponse(
      status: 200, cacheControl: "public, max-age=3600",
      body: Data(PublicJWK.keySet(try keys.map { try $0.publicJWK() })))
  }

  /// Issued ten seconds ago, for an hour, after a sign-in ten minutes ago.
  static var claims: JSONObject {
    [
      "iss": .string(issuer), "aud": .string(project), "sub": "alice", "user_id": "alice",
      "auth_time": 1_699_999_400, "iat": 1_699_999_990, "exp": 1_700_003_590,
      "email": "alice@example.com", "email_verified": true, "name": "Alice", "admin": true,
      "firebase": [
        "identities": ["email": ["alice@example.com"], "apple.com": ["001"]],
        "sign_in_provider": "apple.com",
      ],
    ]
  }

  static func header(of key: RSASigningKey) -> JSONObject {
    ["alg": "RS256", "kid": .string(key.keyID), "typ": "JWT"]
  }

  /// The valid token with changes.
  static func token(
    key: RSASigningKey? = nil, signedBy signingKey: RSASigningKey? = nil,
    header changeHeader: (inout JSONObject) -> Void = { _ in },
    claims changeClaims: (inout JSONObject) -> Void = { _ in }
  ) throws -> String {
    let key = try key ?? self.key
    var header = header(of: key)
    var claims = claims
    changeHeader(&header)
    changeClaims(&claims)
    let input = Base64URL.encode(header.serialized()) + "." + Base64URL.encode(claims.serialized())
    let signature = try RS256Signer(key: signingKey ?? key).sign(Array(input.utf8))
    return input + "." + Base64URL.encode(signature)
  }
}

extension VerificationError {
  /// The code of the token error.
  var code: TokenError.Code? { if case .refused(let error) = self { error.code } else { nil } }
}

/// The error that `body` throws; nil if it throws none.
func refusal(_ body: () async throws -> AuthenticatedUser) async -> VerificationError? {
  do {
    _ = try await body()
    return nil
  } catch {
    guard let refusal = error as? VerificationError else {
      Issue.record(error)
      return nil
    }
    return refusal
  }
}
