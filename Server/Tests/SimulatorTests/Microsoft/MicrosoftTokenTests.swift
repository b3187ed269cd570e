import Foundation
import HTTPTypes
import Testing

@Suite struct MicrosoftTokenTests {
  @Test func `a code gives tokens`() async throws {
    try await withSimulator { client in
      let code = try await client.microsoftCode(["person": "bob"])
      let reply = try await client.microsoftToken(["code": code])
      #expect(reply.status == 200)
      #expect(
        reply.json.names == [
          "token_type", "scope", "expires_in", "ext_expires_in", "access_token", "id_token",
        ])
      #expect(reply.json.string("scope") == "openid email profile")
      #expect(reply.json.integer("expires_in") == 4_500)
      let token = try IDToken(reply.json.string("id_token"))
      #expect(try await token.isSigned(by: client.get("/microsoft/common/discovery/v2.0/keys")))
      #expect(token.claims.string("nonce") == "n1")
      #expect(token.claims.names.isDisjoint(with: ["at_hash", "c_hash"]))
    }
  }

  @Test func `a code without openid gives no ID token`() async throws {
    try await withSimulator { client in
      let code = try await client.microsoftCode(["scope": "https://graph.microsoft.com/User.Read"])
      let reply = try await client.microsoftToken(["code": code])
      #expect(reply.json.string("access_token") != nil)
      #expect(reply.json.string("scope") == "User.Read")
      #expect(!reply.json.names.contains("id_token"))
    }
  }

  @Test func `a refresh gives another refresh token, and both are valid`() async throws {
    try await withSimulator { client in
      let code = try await client.microsoftCode(["scope": "openid offline_access"])
      let first = try await client.microsoftToken(["code": code]).json.string("refresh_token") ?? ""
      func refresh(_ token: String, _ changes: [String: String] = [:]) async throws -> Reply {
        try await client.microsoftToken(
          changes.merging(["grant_type": "refresh_token", "refresh_token": token]) { own, _ in own }
        )
      }
      let second = try await refresh(first)
      #expect(second.status == 200)
      #expect(try IDToken(second.json.string("id_token")).claims.string("nonce") == nil)
      let token = second.json.string("refresh_token") ?? ""
      #expect(token != first)
      #expect(try await refresh(token).status == 200)
      #expect(try await refresh(first).status == 200)
      let other = try await refresh(first, ["client_id": "other"])
      #expect(other.errorDescription?.hasPrefix("AADSTS70000: ") == true)
      let unknown = try await refresh("1.Amadeup")
      #expect(unknown.errorDescription?.hasPrefix("AADSTS9002313: ") == true)
    }
  }

  @Test(arguments: [
    (["code": ""], 400, "invalid_request", 900_144),
    (["code": "1.Amadeup"], 400, "invalid_grant", 9_002_313),
    (["grant_type": ""], 400, "invalid_request", 900_144),
    (["grant_type": "password"], 400, "unsupported_grant_type", 70_003),
    (["client_id": ""], 400, "invalid_request", 900_144),
    (["client_id": "other"], 400, "invalid_grant", 70_000),
    (["client_secret": ""], 401, "invalid_client", 7_000_218),
    (["client_secret": "another"], 401, "invalid_client", 7_000_215),
    (["redirect_uri": "https://app.example.com/other"], 401, "invalid_client", 500_112),
    (["code_verifier": ""], 400, "invalid_grant", 50_148),
    (
      ["code_verifier": "wrong-verifier-wrong-verifier-wrong-verifier"], 400, "invalid_grant",
      50_148
    ),
  ])
  func `an invalid exchange is refused`(
    changes: [String: String], status: Int, error: String, number: Int
  ) async throws {
    try await withSimulator { client in
      _ = try await client.put(
        "/simulator/clients",
        json: """
          {"provider":"microsoft","client_id":"ms-client","client_secret":"made-up-secret"}
          """)
      let code = try await client.microsoftCode()
      let refused = try await client.microsoftToken(
        ["code": code].merging(changes) { _, new in new })
      #expect(refused.status == status)
      #expect(refused.error == error)
      #expect(refused.errorDescription?.hasPrefix("AADSTS\(number): ") == true)
      #expect(refused.text.contains("\"error_codes\":[\(number)]"))
      #expect(try await client.microsoftToken(["code": code]).status == 200)
    }
  }

  @Test func `a code works once`() async throws {
    try await withSimulator { client in
      let code = try await client.microsoftCode()
      #expect(try await client.microsoftToken(["code": code]).status == 200)
      let again = try await client.microsoftToken(["code": code])
      #expect(again.error == "invalid_grant")
      #expect(again.errorDescription?.hasPrefix("AADSTS54005: ") == true)
    }
  }

  @Test(arguments: [(599.0, nil), (600, "AADSTS70008: ")] as [(Double, String?)])
  func `a code is valid for ten minutes`(age: Double, refusal: String?) async throws {
    try await withSimulator { client in
      let code = try await client.microsoftCode()
      client.clock.advance(seconds: age)
      let reply = try await client.microsoftToken(["code": code])
      #expect(reply.error == (refusal == nil ? nil : "invalid_grant"))
      #expect(reply.errorDescription?.hasPrefix(refusal ?? "") != false)
    }
  }

  @Test func `a code is valid only at the tenant that issued it`() async throws {
    try await withSimulator { client in
      let code = try await client.microsoftCode(at: Tenant.first)
      let refused = try await client.microsoftToken(["code": code], at: Tenant.second)
      #expect(refused.error == "invalid_grant")
      #expect(refused.errorDescription?.hasPrefix("AADSTS700005: ") == true)
      #expect(try await client.microsoftToken(["code": code], at: Tenant.first).status == 200)
    }
  }

  @Test func `a client may authenticate by Basic`() async throws {
    try await withSimulator { client in
      _ = try await client.put(
        "/simulator/clients",
        json: """
          {"provider":"microsoft","client_id":"ms-client","client_secret":"s:cret %"}
          """)
      let changes = [
        "code": try await client.microsoftCode(), "client_id": "", "client_secret": "",
      ]
      func exchange(_ pair: String) async throws -> Reply {
        let basic = "Basic \(Data(pair.utf8).base64EncodedString())"
        return try await client.microsoftToken(changes, headers: [.authorization: basic])
      }
      let wrong = try await exchange("ms-client:another")
      #expect(wrong.errorDescription?.hasPrefix("AADSTS7000215: ") == true)
      #expect(try await exchange("ms-client:s%3Acret+%25").status == 200)
    }
  }

  @Test func `a token ends with the consent`() async throws {
    try await withSimulator { client in
      let code = try await client.microsoftCode(["scope": "openid offline_access"])
      let token = try await client.microsoftToken(["code": code]).json.string("refresh_token") ?? ""
      _ = try await client.post(
        "/simulator/persons/alice/withdraw-consent",
        json: #"{"provider":"microsoft","client_id":"ms-client"}"#)
      let refused = try await client.microsoftToken([
        "grant_type": "refresh_token", "refresh_token": token,
      ])
      #expect(refused.error == "invalid_grant")
      #expect(refused.errorDescription?.hasPrefix("AADSTS50173: ") == true)
    }
  }
}
