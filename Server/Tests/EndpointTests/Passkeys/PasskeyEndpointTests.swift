import Foundation
import GatehouseProtocol
import GatehouseServer
import HTTPTypes
import Testing

/// The requests of passkeys, without an authenticator: what is asked for, and what lacks a member.
@Suite struct PasskeyEndpointTests {
  private static func call(
    _ server: TestServer, _ method: String, _ body: JSONValue
  ) async throws -> TestReply {
    try await server.call(TestRequest("/v2/accounts/\(method)", body))
  }

  private static func get(_ server: TestServer, _ path: String) async throws -> TestReply {
    var request = TestRequest(path)
    request.method = .get
    request.key = nil
    return try await server.call(request)
  }

  @Test func `the options of a registration are in Google's form and in browsers'`() async throws {
    try await TestServer.with { server in
      let ada = try await server.call(
        .accounts("signUp", ["email": "ada@example.com", "password": "secret1"]))
      let reply = try await Self.call(
        server, "passkeyEnrollment:start", ["idToken": ada["idToken"] ?? .null])
      #expect(reply.status == 200)
      let google = reply["credentialCreationOptions"]
      let browser = reply["publicKey"]
      #expect(google?["rp"]?["id"] == "localhost")
      #expect(google?["user"]?["name"] == "ada@example.com")
      #expect(browser?["attestation"] == "none")
      #expect(browser?["authenticatorSelection"]?["residentKey"] == "required")
      #expect(browser?["excludeCredentials"] == [])
      let numbers = browser?["pubKeyCredParams"]?.array?.compactMap { $0["alg"]?.number?.int64 }
      #expect(numbers == [-7, -8, -257])
      let standard = try #require(google?["challenge"]?.string)
      let challenge = try #require(Data(base64Encoded: standard))
      #expect(browser?["challenge"]?.string == standard.asURL)
      #expect(challenge.count > 64)
      let handle = try #require(google?["user"]?["id"]?.string)
      #expect(Data(base64Encoded: handle)?.count == 32)
      #expect(browser?["user"]?["id"]?.string == handle.asURL)
    }
  }

  /// As Google's emulator answers.
  private static let refusals: [(method: String, body: JSONValue, error: String)] = [
    ("passkeyEnrollment:start", [:], "MISSING_ID_TOKEN"),
    (
      "passkeyEnrollment:finalize", ["authenticatorRegistrationResponse": ["id": "some_cred"]],
      "MISSING_ID_TOKEN"
    ),
    ("passkeyEnrollment:finalize", ["idToken": "some_token"], "MISSING_AUTHENTICATOR_RESPONSE"),
    ("passkeySignIn:finalize", [:], "MISSING_AUTHENTICATOR_RESPONSE"),
    (
      "passkeySignIn:finalize", ["authenticatorAuthenticationResponse": ["id": ""]],
      "INVALID_CREDENTIAL_ID"
    ),
    (
      "passkeySignIn:finalize",
      ["authenticatorAuthenticationResponse": ["id": "nonexistent_cred_id"]],
      "PASSKEY_CREDENTIAL_NOT_FOUND"
    ),
  ]

  @Test(arguments: refusals)
  func `a request without its members is refused`(
    method: String, body: JSONValue, error: String
  ) async throws {
    try await TestServer.with { server in
      let reply = try await Self.call(server, method, body)
      #expect(reply.status == 400)
      #expect(reply.error == error)
    }
  }

  @Test func `an administrator sets the policy, and the host publishes what belongs to it`()
    async throws
  {
    try await TestServer.with { server in
      func patch(_ passkeys: JSONValue, mask: String = "passkeys") async throws -> TestReply {
        try await server.call(
          TestRequest.admin(.patch, "v2/projects/demo/config", ["passkeys": passkeys]).with {
            $0.query = "updateMask=\(mask)"
          })
      }
      #expect(try await Self.get(server, "/.well-known/webauthn").status == 404)
      #expect(try await Self.get(server, "/.well-known/passkey-endpoints").status == 404)
      let origin = "https://example.net"
      let changed = try await patch([
        "enabled": true, "relyingPartyId": "auth.example.com", "origins": [.string(origin)],
        "enrollUrl": "https://example.com/passkeys",
      ])
      #expect(changed.status == 200)
      #expect(changed["passkeys"]?["relyingPartyId"] == "auth.example.com")
      let started = try await Self.call(server, "passkeySignIn:start", [:])
      #expect(started["credentialRequestOptions"]?["rpId"] == "auth.example.com")
      let origins = try await Self.get(server, "/.well-known/webauthn")
      #expect(origins.json == ["origins": [.string(origin)]])
      #expect(origins.headers[.contentType] == "application/json")
      let endpoints = try await Self.get(server, "/.well-known/passkey-endpoints")
      #expect(endpoints.json == ["enroll": "https://example.com/passkeys"])
      for fault: JSONValue in [
        ["enabled": true, "relyingPartyId": ""], ["relyingPartyId": "127.0.0.1"],
        ["relyingPartyId": "Example.com"], ["origins": ["http://example.com"]],
        ["origins": ["https://example.com/"]], ["origins": ["https://example.com:443"]],
        ["origins": ["android:apk-key-hash:short"]], ["manageUrl": "http://example.com"],
      ] {
        let reply = try await patch(fault, mask: "passkeys")
        #expect(reply.error?.hasPrefix("INVALID_CONFIG : passkeys.") == true, "\(fault)")
      }
      let off = try await patch(["enabled": false], mask: "passkeys.enabled")
      #expect(off["passkeys"]?["enabled"] == false)
      #expect(
        try await Self.call(server, "passkeySignIn:start", [:]).error
          == "OPERATION_NOT_ALLOWED : Passkeys are disabled in this project.")
    }
  }
}

extension String {
  fileprivate var asURL: String {
    replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
  }
}
