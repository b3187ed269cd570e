import Crypto
import CryptoExtras
import Testing

/// canaille: in its ID tokens `aud` is an array with a second audience, `auth_time` has a fraction,
/// and the algorithm is the one that the client selected. The tokens come from its own code flow,
/// with PKCE.
@Suite(.developmentServer)
struct CanailleTests {
  @Test(arguments: ["RS256", "RS512"])
  func `an ID token of canaille signs in`(_ algorithm: String) async throws {
    let server = try suiteServer()
    let email = Unique.email()
    let id = "oidc.canaille-\(algorithm.lowercased())"
    try await OpenIDProvider.withCanaille(email: email, algorithm: algorithm) { provider in
      let nonce = Unique.nonce()
      let tokens = try await provider.signIn(nonce: nonce)
      let parts = try #require(JWTParts(tokens.idToken))
      #expect(parts.header["alg"].string == algorithm)
      #expect(parts.claims["aud"] == ["our-app", "their-api"])
      #expect(parts.claims["auth_time"].number.map { $0 != $0.rounded() } == true)
      let credential = Credential(
        provider: id, idToken: tokens.idToken, nonce: nonce, accessToken: tokens.accessToken)

      // Another audience of the token could replay it, so the operator must trust that audience.
      _ = try await server.administrator.configure(id, provider.configuration)
      let refused = try await server.app.signIn(credential)
      #expect(
        refused.message
          == "INVALID_IDP_RESPONSE : The audience in ID Token [our-app, their-api] does not match "
          + "the expected audience our-app. An audience beside ours has to be trusted in the "
          + "configuration, unless the token's azp is ours.")
      let trusted = try await server.administrator.call(
        .patch, "oauthIdpConfigs/\(id)?updateMask=trustedAudiences",
        ["trustedAudiences": ["their-api"]], version: "v2")
      #expect(trusted.verdict == "200")

      var mixed = credential
      mixed.accessToken = tokens.accessToken + "x"
      let otherToken = try await server.app.signIn(mixed)
      #expect(otherToken.message?.contains("was not issued with the access token") == true)

      let first = try await server.app.signIn(credential)
      #expect(first.verdict == "200")
      #expect(first.json["federatedId"].string == "\(id)/ada")
      #expect(first.json["email"].string == email)
      #expect(first.json["displayName"] == "Ada Lovelace")
    }
  }

  @Test(arguments: ["ES256", "RS256"])
  func `canaille accepts a signature in place of a secret, by our published key`(
    _ algorithm: String
  ) async throws {
    let server = try suiteServer()
    let email = Unique.email()
    let id = "oidc.canaille-key-\(algorithm.lowercased())"
    let client = [
      "--redirect-uri", "\(server.baseURL)/__/auth/handler/demo/\(id)",
      "--jwks-uri", "\(server.baseURL)/__/auth/keys/demo/\(id)",
    ]
    try await OpenIDProvider.withCanaille(email: email, client: client) { provider in
      let pem =
        algorithm == "ES256"
        ? P256.Signing.PrivateKey().pemRepresentation
        : try _RSA.Signing.PrivateKey(keySize: .bits2048).pkcs8PEMRepresentation
      let configured = try await server.administrator.configure(
        id,
        [
          "issuer": .string(provider.issuer), "clientId": .string(provider.clientID),
          "enabled": true, "responseType": ["code": true], "trustedAudiences": ["their-api"],
          // canaille accepts only the audience of RFC 7523, the token endpoint.
          "clientKey": [
            "privateKey": .string(pem), "algorithm": .string(algorithm),
            "audience": "tokenEndpoint",
          ],
        ])
      #expect(configured.verdict == "200")
      let app = NativeApp(server: server)
      let end = try await Browser().open(
        app.url(id, parameters: [:]), within: [server.baseURL, provider.issuer])
      let signedIn = try await app.redeem(end.deepLink["link"], id)
      #expect(signedIn.verdict == "200")
      #expect(signedIn.json["federatedId"].string == "\(id)/ada")
      #expect(signedIn.json["email"].string == email)
    }
  }
}
