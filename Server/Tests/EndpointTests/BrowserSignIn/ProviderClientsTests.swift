import Foundation
import GatehouseServer
import GatehouseProtocol
import Testing

/// Apps that have their own client id at a provider.
@Suite struct ProviderClientsTests {
  private static let clients: JSONValue = [
    [
      "clientId": "tablet-client", "clientSecret": "tablet-s3cret",
      "bundleIds": ["com.example.tablet"],
    ]
  ]

  private func set(_ clients: JSONValue, _ server: TestServer) async throws {
    let changed = try await server.call(
      TestRequest.admin(
        .patch, "v2/projects/demo/oauthIdpConfigs/oidc.trusted", ["clients": clients]))
    #expect(changed.status == 200, "\(changed.text)")
  }

  /// The whole flow for the app with `bundleID`, with a token for `audience`.
  private func signIn(
    _ bundleID: String, _ server: TestServer, audience: JSONValue,
    beforeRedemption: () async throws -> Void = {}
  ) async throws -> (clientID: String?, reply: TestReply) {
    let flow = try await BrowserFlow(server, "oidc.trusted", ["ibi": bundleID])
    server.providers.issue(
      code: "c", idToken: try flow.token("oidc.trusted", ["aud": audience]))
    let arrived = try await flow.arrive("state=\(flow.state)&code=c")
    try await beforeRedemption()
    return (flow.asked["client_id"], try await flow.redeem(arrived.link))
  }

  private func basic(_ user: String, _ password: String) -> String {
    "Basic " + Data("\(user):\(password)".utf8).base64EncodedString()
  }

  @Test(
    arguments: [
      ("com.example.tablet", "tablet-client", "tablet-s3cret"),
      ("com.example.app", "oidc-client", "an-oidc-secret"),
    ])
  func `each app requests and redeems a code as its own client`(
    _ bundleID: String, _ clientID: String, _ secret: String
  ) async throws {
    try await TestServer.with { server in
      try await set(Self.clients, server)
      let (asked, reply) = try await signIn(bundleID, server, audience: .string(clientID))
      #expect(asked == clientID)
      #expect(reply.status == 200, "\(reply.text)")
      let exchange = server.providers.requests.last { $0.url.hasSuffix("/token") }
      #expect(exchange?.authorization == basic(clientID, secret))
    }
  }

  @Test func `a token for another client id isn't accepted for this app`() async throws {
    try await TestServer.with { server in
      try await set(Self.clients, server)
      let (_, reply) = try await signIn("com.example.tablet", server, audience: "oidc-client")
      #expect(
        reply.error
          == "INVALID_IDP_RESPONSE : The audience in ID Token [oidc-client] does not match the "
          + "expected audience tablet-client.")
    }
  }

  @Test func `a client that was removed meanwhile redeems nothing`() async throws {
    try await TestServer.with { server in
      try await set(Self.clients, server)
      let (_, reply) = try await signIn(
        "com.example.tablet", server, audience: "tablet-client",
        beforeRedemption: { try await set([], server) })
      #expect(
        reply.error
          == "OPERATION_NOT_ALLOWED : The identity provider configuration is disabled.")
    }
  }

  @Test func `a native app's token may be for any of the clients`() async throws {
    try await TestServer.with { server in
      try await set(Self.clients, server)
      let token = try FakeProviders.token(
        "oidc.trusted", ["sub": "s", "aud": "tablet-client"])
      #expect(try await server.call(FakeProviders.signIn("oidc.trusted", token)).status == 200)
    }
  }

  @Test(arguments: [("com.example.known", 200), ("com.example.unknown", 400)])
  func `a registered app is an audience of Apple's tokens`(
    _ bundleID: String, _ status: Int
  ) async throws {
    try await TestServer.with { server in
      // Creates the project.
      _ = try await server.call(.accounts("signUp", [:]))
      _ = try await Apps(ProjectDirectory(store: server.store))
        .add(
          bundleID: "com.example.known", displayName: nil, teamID: nil,
          to: try #require(ProjectID(TestServer.project)), now: TestServer.start)
      _ = try await server.services.projects.refresh()
      let token = try FakeProviders.token(
        "apple.com", ["sub": "s", "aud": .string(bundleID), "nonce": .string("n".sha256Hex)])
      let reply = try await server.call(
        FakeProviders.signIn("apple.com", token, more: "&nonce=n"))
      #expect(reply.status == status, "\(reply.text)")
      if status == 400 {
        #expect(
          reply.error
            == "INVALID_IDP_RESPONSE : The audience in ID Token [com.example.unknown] does not match "
            + "the expected audience com.example.web.")
      }
    }
  }
}
