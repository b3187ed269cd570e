import Foundation
import HTTPTypes
import Testing

@Suite struct IssuerTests {
  private static func provider(_ name: String) -> OpenIDProvider {
    let base = "/oidc/\(name)"
    return OpenIDProvider(
      name: "oidc/\(name)", authorize: base + "/authorize", token: base + "/token",
      userInfo: base + "/userinfo", keys: base + "/jwks", revoke: base + "/revoke")
  }

  @Test func `a test has its own issuer, with its own faults`() async throws {
    try await withSimulator { client in
      let made = try await client.put(
        "/simulator/issuers/mine", json: #"{"setClaims":{"nonce":"wrong"}}"#)
      #expect(made.status == 201)
      #expect(made.json.string("issuer") == "\(client.baseURL)/oidc/mine")
      _ = try await client.put("/simulator/issuers/theirs", json: "{}")
      // This removes the faults of the built-in providers, and not those of the issuer.
      _ = try await client.send(.delete, "/simulator/faults")
      for (name, nonce) in [("mine", "wrong"), ("theirs", "n1")] {
        let provider = Self.provider(name)
        let document = try await client.get(provider.discovery).json
        #expect(document.string("issuer") == "\(client.baseURL)/oidc/\(name)")
        #expect(document.string("token_endpoint") == client.baseURL + provider.token)
        let code = try await provider.authorize(client).redirectParameters()
        #expect(code["iss"] == "\(client.baseURL)/oidc/\(name)")
        let tokens = try await provider.exchange(code["code"], client)
        let token = try IDToken(tokens.json.string("id_token"))
        #expect(token.claims.string("iss") == "\(client.baseURL)/oidc/\(name)")
        #expect(token.claims.string("nonce") == nonce)
        #expect(try token.isSigned(by: await client.get(provider.keys)))
      }
    }
  }

  @Test func `a code of one issuer is refused by another`() async throws {
    try await withSimulator { client in
      for name in ["a", "b"] { _ = try await client.put("/simulator/issuers/\(name)", json: "{}") }
      let code = try await Self.provider("a").authorize(client).redirectParameters()["code"]
      #expect(try await Self.provider("b").exchange(code, client).error == "invalid_grant")
      #expect(try await OpenIDProvider.oidc.exchange(code, client).error == "invalid_grant")
      #expect(try await Self.provider("a").exchange(code, client).status == 200)
    }
  }

  @Test func `an issuer uses the shared keys until it rotates them`() async throws {
    try await withSimulator { client in
      _ = try await client.put("/simulator/issuers/mine", json: "{}")
      func keyID(_ path: String) async throws -> String? {
        try await client.get(path).json.objects("keys").first?.string("kid")
      }
      let shared = try await keyID("/oidc/jwks")
      #expect(try await keyID("/oidc/mine/jwks") == shared)
      let rotated = try await client.post(
        "/simulator/rotate-keys", json: #"{"provider":"oidc/mine","keepOld":false}"#)
      #expect(rotated.status == 200)
      #expect(try await keyID("/oidc/mine/jwks") == rotated.json.string("kid"))
      #expect(try await keyID("/oidc/jwks") == shared)
      let unknown = try await client.post(
        "/simulator/rotate-keys", json: #"{"provider":"oidc/theirs"}"#)
      #expect(unknown.error == "issuer_not_found")
    }
  }

  @Test func `an issuer can be deleted, and a reset deletes all`() async throws {
    try await withSimulator { client in
      for name in ["a", "b"] { _ = try await client.put("/simulator/issuers/\(name)", json: "{}") }
      #expect(
        try await client.get("/simulator/issuers").json.strings("issuers")
          == ["\(client.baseURL)/oidc/a", "\(client.baseURL)/oidc/b"])
      #expect(try await client.put("/simulator/issuers/a", json: "{}").status == 200)
      #expect(try await client.send(.delete, "/simulator/issuers/a").status == 200)
      let gone = try await client.get(Self.provider("a").discovery)
      #expect(gone.status == 404)
      #expect(gone.error == "issuer_not_found")
      _ = try await client.post("/simulator/reset", json: "{}")
      #expect(try await client.get(Self.provider("b").discovery).error == "issuer_not_found")
    }
  }

  @Test(arguments: ["", "A", "1a", "a/b", "a%2Fb", "\u{e4}", String(repeating: "a", count: 65)])
  func `an invalid name creates no issuer`(_ name: String) async throws {
    try await withSimulator { client in
      let escaped = name.addingPercentEncoding(withAllowedCharacters: .urlPathAllowed) ?? ""
      let reply = try await client.put("/simulator/issuers/\(escaped)", json: "{}")
      #expect([400, 404].contains(reply.status))
      #expect(try await client.get("/simulator/issuers").json.strings("issuers") == [])
    }
  }

  @Test func `the number of issuers is limited`() async throws {
    try await withSimulator { configuration in
      configuration.limits.issuers = 1
    } _: { client in
      let first = try await client.put("/simulator/issuers/a", json: "{}")
      #expect(first.status == 201)
      #expect(try await client.put("/simulator/issuers/b", json: "{}").error == "too_many_issuers")
      #expect(try await client.put("/simulator/issuers/a", json: "{}").status == 200)
    }
  }

  @Test func `requests are counted by issuer`() async throws {
    try await withSimulator { client in
      _ = try await client.put("/simulator/issuers/mine", json: "{}")
      _ = try await client.get("/oidc/mine/jwks")
      _ = try await client.get("/oidc/nobody/jwks")
      let counts = try await client.get("/simulator/requests").json.object("counts")
      #expect(counts?.integer("/oidc/mine/jwks") == 1)
      #expect(counts?.integer("/oidc/{issuer}/jwks") == 1)
    }
  }

  @Test func `a browser clicks at an issuer too`() async throws {
    try await withSimulator { client in
      _ = try await client.put("/simulator/issuers/mine", json: "{}")
      var browser = try await DialogBrowser.open(
        DialogURL.standard(Self.provider("mine")), client, provider: "oidc/mine")
      #expect(browser.step == "choose")
      let answer = try await browser.goOn("bob")
      #expect(try answer.redirectParameters()["code"] != nil)
    }
  }
}
