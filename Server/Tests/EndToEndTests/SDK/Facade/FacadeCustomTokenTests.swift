import Crypto
import CryptoExtras
import GatehouseAuth
import GatehouseCore
import Foundation
import Testing

/// A custom token that a service account signed, as a back end does, in production.
@Suite(.timeLimit(.minutes(10)))
struct FacadeCustomTokenTests {
  @Test func `a service account's token signs in, with its claims; one with another key doesn't`()
    async throws
  {
    try await Production.with { production, server, _ in
      let path = try await production.serviceAccount("backend", "customTokens")
      let file = JSON(reading: try Data(contentsOf: URL(fileURLWithPath: path)))
      let email = try #require(file["client_email"].string)
      let key = try _RSA.Signing.PrivateKey(
        pemRepresentation: try #require(file["private_key"].string))
      let device = try FacadeApp(server, apiKey: production.apiKey, project: production.project)

      let token = try Self.token(for: "carol", by: email, key)
      let result = try await device.auth.signIn(withCustomToken: token)
      #expect(result.user.uid == "carol")
      let claims = try await result.user.getIDTokenResult()
      #expect(claims.signInProvider == "custom")
      #expect(claims.claims["plan"] as? String == "gold")

      let stranger = try Self.token(for: "carol", by: email, try .init(keySize: .bits2048))
      let code = await authCode { try await device.auth.signIn(withCustomToken: stranger) }
      #expect(code == .invalidCustomToken)
      #expect(device.auth.currentUser === result.user)
    }
  }

  private static func token(
    for uid: String, by email: String, _ key: _RSA.Signing.PrivateKey
  ) throws -> String {
    let now = Int(Date().timeIntervalSince1970)
    let claims = """
      {"iss":"\(email)","sub":"\(email)","uid":"\(uid)","iat":\(now),"exp":\(now + 600),
       "aud":"https://identitytoolkit.googleapis.com/google.identity.identitytoolkit.v1.IdentityToolkit",
       "claims":{"plan":"gold"}}
      """
    let input =
      base64URL(Data(#"{"alg":"RS256","typ":"JWT"}"#.utf8)) + "."
      + base64URL(Data(claims.utf8))
    let signature = try key.signature(for: Data(input.utf8), padding: .insecurePKCS1v1_5)
    return input + "." + base64URL(signature.rawRepresentation)
  }

  private static func base64URL(_ data: Data) -> String {
    data.base64EncodedString().replacing("+", with: "-").replacing("/", with: "_")
      .replacing("=", with: "")
  }
}
