import Crypto
import Foundation

/// A client secret as an app's server signs it. Each part can be made invalid.
struct AppleSecret: Sendable {
  var key = P256.Signing.PrivateKey()
  var algorithm = "ES256"
  var keyID: String? = "KEY1234567"
  var team: String? = "TEAM123456"
  var subject: String? = "com.example.app"
  var audience: String? = "https://appleid.apple.com"
  var issuedAt = 1_750_000_000
  var expiry = 1_750_000_300

  func text() throws -> String {
    var header: [String: Any] = ["alg": algorithm]
    header["kid"] = keyID
    var claims: [String: Any] = ["iat": issuedAt, "exp": expiry]
    claims["iss"] = team
    claims["sub"] = subject
    claims["aud"] = audience
    return try SignedJWT.text(header: header, claims: claims, key)
  }

  /// A valid secret for `clientID`.
  static func good(_ clientID: String = "com.example.app") throws -> String {
    var secret = AppleSecret()
    secret.subject = clientID
    return try secret.text()
  }
}

extension SimulatorClient {
  /// Signs in alice, or the `person` in `members`, as an app on a device.
  func appleSignIn(_ members: String = "") async throws -> JSONText {
    let rest = members.isEmpty ? "" : ",\(members)"
    return try await post(
      "/apple/native-sign-in", json: "{\"client_id\":\"com.example.app\"\(rest)}"
    ).json
  }

  /// Exchanges the code of a native sign-in.
  func appleExchange(_ code: String?, secret: String? = nil) async throws -> Reply {
    try await post(
      "/apple/auth/token",
      form: [
        "client_id": "com.example.app", "client_secret": secret ?? AppleSecret.good(),
        "grant_type": "authorization_code", "code": code ?? "",
      ])
  }

  func appleRefresh(_ token: String?) async throws -> Reply {
    try await post(
      "/apple/auth/token",
      form: [
        "client_id": "com.example.app", "client_secret": AppleSecret.good(),
        "grant_type": "refresh_token", "refresh_token": token ?? "",
      ])
  }
}
