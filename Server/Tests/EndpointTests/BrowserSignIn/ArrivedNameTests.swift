import Foundation
import GatehouseProtocol
import Testing

/// Apple sends the name once, in an answer that the app may never redeem.
@Suite struct ArrivedNameTests {
  private static let user = #"{"name":{"firstName":"Ada","lastName":"Lovelace"}}"#

  /// A sign-in whose answer, with the name, reaches the server.
  private static func arrive(
    _ server: TestServer, claims: KeyValuePairs<String, JSONValue> = [:], user: String = user
  ) async throws {
    let flow = try await BrowserFlow(server, "apple.com")
    let token = try flow.token("apple.web", claims)
    let arrived = try await flow.post(
      "state=\(flow.state)&code=c&id_token=\(token)&user=\(BrowserFlow.escape(user))")
    #expect(arrived.link != nil)
  }

  /// Another sign-in, whose answer contains no name.
  private static func signInAgain(
    _ server: TestServer, claims: KeyValuePairs<String, JSONValue> = [:]
  ) async throws -> TestReply {
    let flow = try await BrowserFlow(server, "apple.com")
    server.providers.issue(code: "again", idToken: try flow.token("apple.web", claims))
    let arrived = try await flow.post("state=\(flow.state)&code=again")
    return try await flow.redeem(arrived.link)
  }

  private static func delete(_ signedIn: TestReply, _ server: TestServer) async throws {
    let deleted = try await server.call(
      .accounts("delete", ["idToken": signedIn["idToken"] ?? .null]))
    #expect(deleted.status == 200)
  }

  @Test func `the next sign-in has the name of a response that wasn't redeemed`() async throws {
    try await TestServer.with { server in
      try await Self.arrive(server)
      let signedIn = try await Self.signInAgain(server)
      #expect(signedIn["isNewUser"] == true)
      #expect(signedIn["displayName"] == "Ada Lovelace")
      #expect(signedIn["firstName"] == "Ada")
      #expect(signedIn["lastName"] == "Lovelace")
      let users = try await server.call(
        .accounts("lookup", ["idToken": signedIn["idToken"] ?? .null]))["users"]
      #expect(users?.array?.first?["displayName"] == "Ada Lovelace")
    }
  }

  @Test func `if the database fails, the browser can send the response again, with its name`()
    async throws
  {
    try await TestServer.with { server in
      let flow = try await BrowserFlow(server, "apple.com")
      let token = try flow.token("apple.web", [:])
      let form =
        "state=\(flow.state)&code=c&id_token=\(token)&user=\(BrowserFlow.escape(Self.user))"
      server.failures.refuseWrite(after: 0)
      #expect(try await flow.post(form).link == nil)
      #expect(try await flow.post(form).link != nil)
      #expect(try await Self.signInAgain(server)["displayName"] == "Ada Lovelace")
    }
  }

  @Test func `an account without a name takes a name that arrived later`() async throws {
    try await TestServer.with { server in
      #expect(try await Self.signInAgain(server)["displayName"] == nil)
      try await Self.arrive(server)
      let signedIn = try await Self.signInAgain(server)
      #expect(signedIn["isNewUser"] != true)
      #expect(signedIn["displayName"] == "Ada Lovelace")
    }
  }

  @Test func `an account takes it once, and the stored name is removed`() async throws {
    try await TestServer.with { server in
      try await Self.arrive(server)
      try await Self.delete(try await Self.signInAgain(server), server)
      let signedIn = try await Self.signInAgain(server)
      #expect(signedIn["isNewUser"] == true)
      #expect(signedIn["displayName"] == nil)
    }
  }

  @Test func `a name that no account took is deleted with the account`() async throws {
    try await TestServer.with { server in
      let signedIn = try await Self.signInAgain(server)
      try await Self.arrive(server)
      try await Self.delete(signedIn, server)
      #expect(try await Self.signInAgain(server)["displayName"] == nil)
    }
  }

  @Test(
    arguments: [
      ["sub": "another"], ["nonce": "another"], ["aud": "com.example.other"],
      ["iss": "https://accounts.google.com"],
    ] as [JSONObject])
  func `it is kept for the subject of a token that answers the request`(
    _ change: JSONObject
  ) async throws {
    try await TestServer.with { server in
      let flow = try await BrowserFlow(server, "apple.com")
      var claims: [(String, JSONValue)] = [
        ("sub", "somebody"), ("nonce", .string(flow.asked["nonce"] ?? "")),
      ]
      claims += change.members.map { ($0.name, $0.value) }
      let token = try FakeProviders.token("apple.web", claims: claims)
      let arrived = try await flow.post(
        "state=\(flow.state)&code=c&id_token=\(token)&user=\(BrowserFlow.escape(Self.user))")
      // A sign-in never fails because of a name.
      #expect(arrived.link != nil)
      #expect(try await Self.signInAgain(server)["displayName"] == nil)
    }
  }

  @Test func `it is kept for thirty days`() async throws {
    for (days, name) in [(29.9, "Ada Lovelace"), (30.1, nil)] as [(Double, JSONValue?)] {
      try await TestServer.with { server in
        try await Self.arrive(server)
        server.clock.advance(seconds: days * 86_400)
        let flow = try await BrowserFlow(server, "apple.com")
        let now = Int64(server.clock.now.timeIntervalSince1970)
        let later = JSONValue.number(JSONNumber(now + 60))
        server.providers.issue(
          code: "again",
          idToken: try flow.token("apple.web", ["iat": .number(JSONNumber(now)), "exp": later]))
        let arrived = try await flow.post("state=\(flow.state)&code=again")
        let signedIn = try await flow.redeem(arrived.link)
        #expect(signedIn.status == 200, "\(signedIn.text)")
        #expect(signedIn["displayName"] == name)
      }
    }
  }

  @Test func `an answer that goes to the app itself has no token next to the code`() async throws {
    try await TestServer.with { server in
      let begun = try await server.call(
        .accounts(
          "createAuthUri",
          ["providerId": "apple.com", "continueUri": "https://localhost/cb", "oauthScope": "name"]))
      let asked = BrowserFlow.parameters(try #require(begun["authUri"]?.string))
      #expect(asked["response_type"] == "code")
    }
  }
}
