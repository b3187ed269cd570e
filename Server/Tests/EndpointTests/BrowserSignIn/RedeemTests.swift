import Foundation
import GatehouseProtocol
import Testing

/// signInWithIdp with an answer that came through a browser.
@Suite struct RedeemTests {
  private static func refusal(_ detail: String) -> String { "INVALID_IDP_RESPONSE : \(detail)" }

  private static let continueURI = "http://localhost/cb"

  /// A sign-in whose answer the provider sends to the app itself.
  private struct Own {
    let server: TestServer
    let sessionID: JSONValue
    let asked: [String: String]

    init(
      _ server: TestServer, _ provider: String = "oidc.trusted", asking parameters: JSONValue = [:]
    ) async throws {
      self.server = server
      let begun = try await server.call(
        .accounts(
          "createAuthUri",
          [
            "providerId": .string(provider), "continueUri": .string(RedeemTests.continueURI),
            "customParameter": parameters,
          ]))
      sessionID = begun["sessionId"] ?? .null
      asked = BrowserFlow.parameters(try #require(begun["authUri"]?.string))
    }

    var state: String { asked["state"] ?? "" }

    func issue(_ code: String, _ claims: KeyValuePairs<String, JSONValue> = [:]) throws {
      let all: [(String, JSONValue)] =
        [("sub", "somebody"), ("nonce", .string(asked["nonce"] ?? ""))]
        + claims.map { ($0.key, $0.value) }
      server.providers.issue(
        code: code, idToken: try FakeProviders.token("oidc.trusted", claims: all))
    }

    func redeem(
      _ query: String, _ fields: KeyValuePairs<String, JSONValue> = [:]
    ) async throws -> TestReply {
      var body: JSONObject = [
        "requestUri": .string("\(RedeemTests.continueURI)?\(query)"), "sessionId": sessionID,
        "returnSecureToken": true,
      ]
      for (name, value) in fields { body[name] = value }
      return try await server.call(.accounts("signInWithIdp", .object(body)))
    }
  }

  @Test func `createAuthUri returns the provider's URL, and its session redeems the answer`()
    async throws
  {
    try await TestServer.with { server in
      let own = try await Own(server)
      #expect(own.asked["redirect_uri"] == Self.continueURI)
      #expect(own.asked["response_type"] == "code")
      try own.issue("c")
      let signedIn = try await own.redeem("code=c&state=\(own.state)")
      #expect(signedIn.status == 200)
      #expect(signedIn["providerId"] == "oidc.trusted")
      let again = try await own.redeem("code=c&state=\(own.state)")
      #expect(
        again.error
          == Self.refusal("The provider's answer was used before. Begin the sign-in again."))
    }
  }

  /// A sign-in that requests `parameters`, and whose provider's token has `claims`.
  private func redeem(
    asking parameters: JSONValue, _ claims: KeyValuePairs<String, JSONValue>
  ) async throws -> TestReply {
    var reply: TestReply?
    try await TestServer.with { server in
      let own = try await Own(server, asking: parameters)
      try own.issue("c", claims)
      reply = try await own.redeem("code=c&state=\(own.state)")
    }
    return try #require(reply)
  }

  @Test(
    arguments: [
      (["max_age": "60"], "auth_time", -120, true), (["max_age": "60"], "auth_time", -121, false),
      (["max_age": "0"], "auth_time", 5, true), (["max_age": "0"], "auth_time", -61, false),
      (["max_age": "60"], "iat", 0, false),
    ] as [(JSONObject, String, Int64, Bool)])
  func `max_age is compared with auth_time`(
    _ parameters: JSONObject, _ claim: String, _ offset: Int64, _ isGood: Bool
  ) async throws {
    let start = Int64(TestServer.start.timeIntervalSince1970)
    let reply = try await redeem(
      asking: .object(parameters), [claim: .number(JSONNumber(start + offset))])
    #expect((reply.status == 200) == isGood)
    if !isGood {
      let seconds = parameters["max_age"]?.string ?? ""
      #expect(
        reply.error
          == Self.refusal(
            "The app asked for max_age=\(seconds), and the provider does not say that the user "
              + "authenticated so recently (auth_time)."))
    }
  }

  @Test(arguments: [("phr", true), ("urn:x", true), ("phr ", false), ("", false)])
  func `acr_values are compared with acr`(_ acr: String, _ isGood: Bool) async throws {
    let reply = try await redeem(asking: ["acr_values": "phr urn:x"], ["acr": .string(acr)])
    #expect((reply.status == 200) == isGood)
    if !isGood {
      #expect(
        reply.error
          == Self.refusal(
            "The authentication context class \"\(acr)\" (acr) is none of the acr_values that the "
              + "app asked for."))
    }
  }

  @Test(arguments: ["-1", "x", "1e3", "", "1234567890"])
  func `a max_age that isn't a number of seconds is refused`(_ value: String) async throws {
    try await TestServer.with { server in
      let reply = try await server.call(
        .accounts(
          "createAuthUri",
          [
            "providerId": "oidc.trusted", "continueUri": .string(Self.continueURI),
            "customParameter": ["max_age": .string(value)],
          ]))
      #expect(
        reply.error
          == "INVALID_ARGUMENT : A custom parameter is malformed or repeated, or there are "
          + "too many.")
    }
  }

  @Test func `an answer that was posted is redeemed from postBody`() async throws {
    try await TestServer.with { server in
      let own = try await Own(server, "apple.com")
      #expect(own.asked["response_mode"] == "form_post")
      let token = try FakeProviders.token(
        "apple.web", ["sub": "somebody", "nonce": .string(own.asked["nonce"] ?? "")])
      server.providers.issue(code: "c", idToken: token)
      let user = #"{"name":{"firstName":"Zoë"}}"#
      let reply = try await own.redeem(
        "",
        [
          "requestUri": .string(Self.continueURI),
          "postBody": .string(
            "code=c&state=\(own.state)&user=\(BrowserFlow.escape(user))&providerId=apple.com"),
        ])
      #expect(reply.status == 200)
      #expect(reply["displayName"] == "Zoë")
    }
  }

  @Test func `a posted answer is read like one in a URL`() async throws {
    try await TestServer.with { server in
      let own = try await Own(server)
      try own.issue("c")
      let good = "code=c&state=\(own.state)"
      let rows: [(String, KeyValuePairs<String, JSONValue>, String)] = [
        (
          "state=\(own.state)&error=access_denied", [:],
          "The provider rejected the sign-in: access_denied"
        ),
        (
          "state=\(own.state)&error=access_denied&code=c", [:],
          "The provider rejected the sign-in: access_denied"
        ),
        ("\(good)&code=d", [:], "The provider's answer repeats a parameter."),
        ("\(good)&iss=a&iss=b", [:], "The provider's answer repeats a parameter."),
        // Once in the form and once in the URL.
        (
          good, ["requestUri": .string("\(Self.continueURI)?code=d")],
          "The provider's answer repeats a parameter."
        ),
        (
          good, ["requestUri": "http://localhost"],
          "The requestUri differs from the redirect URI that the provider received."
        ),
        (
          good, ["requestUri": "http://localhost/other"],
          "The requestUri differs from the redirect URI that the provider received."
        ),
        (
          "state=\(own.state)", [:],
          "The provider's answer has neither a code or token nor an error."
        ),
        (
          "\(good)&iss=https%3A%2F%2Fevil.example.com", [:],
          "The answer's issuer https://evil.example.com does not match the expected one in config: "
            + "https://issuer.example.com."
        ),
      ]
      for (form, fields, detail) in rows {
        let posted: KeyValuePairs<String, JSONValue> = [
          "requestUri": fields.first?.value ?? .string(Self.continueURI),
          "postBody": .string("\(form)&providerId=oidc.trusted"),
        ]
        #expect(try await own.redeem("", posted).error == Self.refusal(detail))
      }
      #expect(!server.providers.requests.contains { $0.url.hasSuffix("/token") })
    }
  }

  @Test func `a form of this server's sign-in is redeemed from the URL at which it arrived`()
    async throws
  {
    try await TestServer.with { server in
      let own = try await Own(server)
      try own.issue("c")
      let issuer = BrowserFlow.escape(FakeProviders.issuer)
      let reply = try await own.redeem(
        "",
        [
          "requestUri": .string(Self.continueURI),
          "postBody": .string("code=c&state=\(own.state)&iss=\(issuer)&providerId=oidc.trusted"),
        ])
      #expect(reply.status == 200)
    }
  }

  @Test func `a bare token with a session id isn't accepted as its answer`() async throws {
    try await TestServer.with { server in
      let body = { (sub: String, at: JSONValue, session: JSONValue) throws -> JSONValue in
        let token = try FakeProviders.token("oidc.plain", ["sub": .string(sub)])
        return [
          "requestUri": at, "sessionId": session, "returnSecureToken": true,
          "postBody": .string("id_token=\(token)&providerId=oidc.plain"),
        ]
      }
      let page: JSONValue = "http://localhost/finish"
      // A link with an attacker's token, opened on a page that keeps a session.
      let attack = try await server.call(
        .accounts("signInWithIdp", try body("a", page, "a-session")))
      #expect(attack.error == Self.refusal("The provider's answer has no state."))
      let plain = try await server.call(.accounts("signInWithIdp", try body("a", page, .null)))
      #expect(plain.status == 200)
      // A credential that the app itself has: SDKs send this placeholder URL with it.
      let byHand = try await server.call(
        .accounts("signInWithIdp", try body("b", "http://localhost", "a-session")))
      #expect(byHand.status == 200)
    }
  }

  @Test func `custom parameters and scopes are sent, reserved ones are refused`() async throws {
    try await TestServer.with { server in
      var body: JSONObject = [
        "providerId": "google.com", "continueUri": .string(Self.continueURI),
        "oauthScope": #"{"google.com":"a,b"}"#,
        "customParameter": ["login_hint": "ada@example.com", "prompt": "select_account"],
      ]
      let begun = try await server.call(.accounts("createAuthUri", .object(body)))
      let asked = BrowserFlow.parameters(try #require(begun["authUri"]?.string))
      #expect(asked["scope"] == "openid email profile a b")
      #expect(asked["login_hint"] == "ada@example.com")
      #expect(asked["prompt"] == "select_account")
      body["customParameter"] = ["state": "mine"]
      let refused = try await server.call(.accounts("createAuthUri", .object(body)))
      #expect(refused.error == "INVALID_ARGUMENT : Only the server may set the parameter state.")
    }
  }

  @Test func `every part of the answer has to belong to the sign-in`() async throws {
    try await TestServer.with { server in
      let own = try await Own(server)
      try own.issue("c")
      let good = "code=c&state=\(own.state)"
      let rows: [(String, KeyValuePairs<String, JSONValue>, String)] = [
        ("code=c", [:], "The provider's answer has no state."),
        (
          "code=c&state=forged", [:],
          "The state was not issued by this server for this project."
        ),
        (
          good, ["sessionId": "another"],
          "The sessionId differs from the one that the sign-in began with."
        ),
        (
          good, ["sessionId": ""],
          "The sessionId differs from the one that the sign-in began with."
        ),
        (
          good, ["postBody": "providerId=google.com"],
          "The sign-in began with another provider."
        ),
        (
          good, ["requestUri": .string("http://localhost/other?\(good)")],
          "The requestUri differs from the redirect URI that the provider received."
        ),
        (
          good, ["requestUri": .string("http://localhost/cb2?\(good)")],
          "The requestUri differs from the redirect URI that the provider received."
        ),
        ("\(good)&code=d", [:], "The provider's answer repeats a parameter."),
        (
          "state=\(own.state)", [:],
          "The provider's answer has neither a code or token nor an error."
        ),
        (
          "state=\(own.state)&error=access_denied", [:],
          "The provider rejected the sign-in: access_denied"
        ),
        (
          "\(good)&iss=https%3A%2F%2Fevil.example.com", [:],
          "The answer's issuer https://evil.example.com does not match the expected one in config: "
            + "https://issuer.example.com."
        ),
      ]
      for (query, fields, detail) in rows.dropLast() {
        let reply = try await own.redeem(query, fields)
        #expect(reply.status == 400)
        #expect(reply.error == Self.refusal(detail))
      }
      #expect(!server.providers.requests.contains { $0.url.hasSuffix("/token") })
      let last = try #require(rows.last)
      #expect(try await own.redeem(last.0).error == Self.refusal(last.2))
      #expect(!server.providers.requests.contains { $0.url.hasSuffix("/token") })
    }
  }

  @Test func `a state of the handler can't be redeemed without its browser`() async throws {
    try await TestServer.with { server in
      let flow = try await BrowserFlow(server, "oidc.trusted")
      let reply = try await flow.redeem(
        "https://localhost/__/auth/handler?code=c&state=\(flow.state)")
      #expect(
        reply.error == Self.refusal("The state was not issued by this server for this project."))
    }
  }

  @Test func `a state of the app's own sign-in isn't accepted at the handler`() async throws {
    try await TestServer.with { server in
      let own = try await Own(server)
      let page = try await BrowserFlow.get(server, "state=\(own.state)&code=c")
      #expect(page.heading == "This link doesn’t work")
    }
  }

  @Test func `a link of another project is refused`() async throws {
    try await TestServer.with { server in
      let flow = try await BrowserFlow(server, "oidc.trusted")
      let arrived = try await flow.arrive("state=\(flow.state)&code=c")
      let body: JSONValue = [
        "requestUri": .string(try #require(arrived.link)),
        "sessionId": .string(BrowserFlow.sessionID), "targetProjectId": "another",
      ]
      var request = TestRequest.accounts("signInWithIdp", body)
      request.key = nil
      request.bearer = "owner"
      let reply = try await server.call(request.with { _ in })
      #expect(
        reply.error == Self.refusal("The state was not issued by this server for this project."))
    }
  }

  @Test func `a link is redeemed within five minutes`() async throws {
    try await TestServer.with { server in
      let flow = try await BrowserFlow(server, "oidc.trusted")
      let arrived = try await flow.arrive("state=\(flow.state)&code=c")
      server.clock.advance(seconds: 300)
      let reply = try await flow.redeem(arrived.link)
      #expect(
        reply.error == Self.refusal("The sign-in took too long. Begin it again."))
    }
  }

  @Test(
    arguments: [
      (nil, "MISSING_OR_INVALID_NONCE : Nonce is missing in the ID Token."),
      (
        "0000",
        "MISSING_OR_INVALID_NONCE : The nonce in ID Token \"0000\" does not match the SHA256 hash of"
      ),
    ] as [(String?, String)])
  func `the ID token for a code has to have this request's nonce`(
    _ nonce: String?, _ refusal: String
  ) async throws {
    try await TestServer.with { server in
      let flow = try await BrowserFlow(server, "oidc.trusted")
      let token = try FakeProviders.token(
        "oidc.trusted",
        claims: [("sub", "s")] + (nonce.map { [("nonce", .string($0))] } ?? []))
      server.providers.issue(code: "c", idToken: token)
      let arrived = try await flow.arrive("state=\(flow.state)&code=c")
      let reply = try await flow.redeem(arrived.link)
      #expect(reply.error?.hasPrefix(refusal) == true)
    }
  }

  @Test func `an ID token for another client id is refused`() async throws {
    try await TestServer.with { server in
      let flow = try await BrowserFlow(server, "apple.com")
      // A token for the bundle id, although the Services ID asked.
      server.providers.issue(code: "c", idToken: try flow.token("apple.com"))
      let arrived = try await flow.post("state=\(flow.state)&code=c")
      let reply = try await flow.redeem(arrived.link)
      #expect(
        reply.error
          == Self.refusal(
            "The audience in ID Token [com.example.app] does not match the expected audience "
              + "com.example.web."))
    }
  }

  @Test func `a code is used once, whatever the result`() async throws {
    try await TestServer.with { server in
      let flow = try await BrowserFlow(server, "oidc.trusted")
      let arrived = try await flow.arrive("state=\(flow.state)&code=unknown")
      let first = try await flow.redeem(arrived.link)
      #expect(
        first.error == Self.refusal("The provider refused the request: 400 invalid_grant"))
      let second = try await flow.redeem(arrived.link)
      #expect(
        second.error
          == Self.refusal("The provider's answer was used before. Begin the sign-in again."))
      #expect(server.providers.requests.filter { $0.url.hasSuffix("/token") }.count == 1)
    }
  }

  @Test func `while the provider's keys can't be fetched, an answer isn't used up`() async throws {
    try await TestServer.with { server in
      let flow = try await BrowserFlow(server, "google.com")
      server.providers.issue(code: "c", idToken: try flow.token("google.com"))
      let arrived = try await flow.arrive("state=\(flow.state)&code=c")
      server.providers.silence("https://www.googleapis.com/oauth2/v3/certs")
      let early = try await flow.redeem(arrived.link)
      #expect(
        early.error == Self.refusal("Error connecting to the given credential's issuer."))
      #expect(!server.providers.requests.contains { $0.url.hasSuffix("/token") })
      server.providers.silence(nil)
      // A failed fetch is repeated after 30 seconds.
      server.clock.advance(seconds: 31)
      #expect(try await flow.redeem(arrived.link).status == 200)
      let again = try await flow.redeem(arrived.link)
      #expect(
        again.error
          == Self.refusal("The provider's answer was used before. Begin the sign-in again."))
    }
  }

  @Test func `codes that a provider refuses count as guesses and are rate-limited`() async throws {
    try await TestServer.with { server in
      _ = try await Own(server)
      _ = try await server.services.projects.updateProject(
        try #require(.init(TestServer.project))
      ) { $0.policies.rateLimits.failuresPerAddress = 2 }
      for expected in ["INVALID_IDP_RESPONSE", "INVALID_IDP_RESPONSE", "TOO_MANY_ATTEMPTS"] {
        let own = try await Own(server)
        let reply = try await own.redeem("code=guess&state=\(own.state)")
        #expect(reply.error?.hasPrefix(expected) == true)
      }
      #expect(server.providers.requests.filter { $0.url.hasSuffix("/token") }.count == 2)
    }
  }

  @Test func `a token that an app got itself is still accepted`() async throws {
    try await TestServer.with { server in
      let token = try FakeProviders.token("oidc.trusted", ["sub": "s"])
      let reply = try await server.call(
        .accounts(
          "signInWithIdp",
          [
            "requestUri": .string(
              "http://localhost?state=the-apps-own&id_token=\(token)&providerId=oidc.trusted")
          ]))
      #expect(reply.status == 200)
    }
  }
}
