import Foundation
import Testing

/// The redirect flow with the real binary and the simulator, as an app, a browser and a provider
/// see it.
@Suite(.developmentServer) struct BrowserSignInTests {
  private static let providers = [
    "apple.com", "google.com", "facebook.com", "github.com", "microsoft.com", "oidc.simulator",
  ]

  @Test(arguments: Self.providers)
  func `a native app signs in through the handler`(_ provider: String) async throws {
    let server = try suiteServer()
    let email = Unique.email()
    let person = try await server.providers.person(email: email, givenName: "Zoë")
    let app = NativeApp(server: server)
    let end = try await app.open(provider, parameters: ["person": person])
    guard case .app(let url) = end else { throw Unreachable(what: "the app: \(end)") }
    #expect(url.scheme == "com.example.app")
    #expect(url.host == "firebaseauth")
    #expect(url.path == "/link")
    #expect(end.deepLink["authType"] == "signInWithRedirect")
    #expect(end.deepLink["eventId"] == app.eventID)

    let reply = try await app.redeem(end.deepLink["link"], provider)
    #expect(reply.verdict == "200")
    #expect(reply.json["providerId"].string == provider)
    #expect(reply.json["isNewUser"] == true)
    #expect(reply.json["email"].string == email)
    #expect(reply.json["oauthAccessToken"].string != nil)
    #expect(
      (reply.json["oauthIdToken"].string != nil)
        == !["facebook.com", "github.com"].contains(provider))
    #expect(reply.json["displayName"].string?.contains("Zoë") == true)

    let again = try await app.redeem(end.deepLink["link"], provider)
    #expect(
      again.verdict
        == "400 INVALID_IDP_RESPONSE : The provider's answer was used before. Begin the sign-in "
        + "again.")
  }

  @Test func `an app on loopback gets the response at its own port`() async throws {
    let server = try suiteServer()
    let person = try await server.providers.person()
    var app = NativeApp(server: server)
    app.query = [("redirectUrl", "http://127.0.0.1:61234/answer?n=1")]
    app.handler = "/emulator/auth/handler"
    let end = try await app.open("oidc.simulator", parameters: ["person": person])
    guard case .app(let url) = end else { throw Unreachable(what: "the app: \(end)") }
    #expect(url.port == 61234)
    #expect(url.path == "/answer")
    #expect(url.queryItems?.first == URLQueryItem(name: "n", value: "1"))
    #expect(try await app.redeem(end.deepLink["link"], "oidc.simulator").verdict == "200")
  }

  @Test(arguments: Self.providers)
  func `a cancelled sign-in returns to the app with the expected error`(
    _ provider: String
  ) async throws {
    let app = NativeApp(server: try suiteServer())
    let end = try await app.open(provider, parameters: ["decision": "cancel"])
    let error = JSON(reading: Data((end.deepLink["firebaseError"] ?? "").utf8))
    #expect(error["code"] == "auth/web-context-cancelled")
  }

  @Test func `a link signs in only the session that began it`() async throws {
    let server = try suiteServer()
    let app = NativeApp(server: server)
    let end = try await app.open(
      "google.com", parameters: ["person": try await server.providers.person()])
    let stolen = try await app.redeem(end.deepLink["link"], "google.com", sessionID: "a-guess")
    #expect(
      stolen.verdict
        == "400 INVALID_IDP_RESPONSE : The sessionId differs from the one that the sign-in began with."
    )
    #expect(try await app.redeem(end.deepLink["link"], "google.com").verdict == "200")
  }

  @Test func `of a hundred concurrent redemptions of one link, one succeeds`() async throws {
    let server = try suiteServer()
    let app = NativeApp(server: server)
    let end = try await app.open(
      "oidc.simulator", parameters: ["person": try await server.providers.person()])
    let link = try #require(end.deepLink["link"])
    let verdicts = try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 0..<100 {
        group.addTask { try await app.redeem(link, "oidc.simulator").status }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(verdicts.filter { $0 == 200 }.count == 1)
    #expect(verdicts.filter { $0 == 400 }.count == 99)
  }

  @Test func `a browser links, and re-authenticates`() async throws {
    let server = try suiteServer()
    let person = try await server.providers.person(email: Unique.email())
    let first = try await server.app.signIn(try await server.providers.apple(person).credential)
    let linking = NativeApp(server: server)
    let end = try await linking.open("google.com", parameters: ["person": person])
    let linked = try await linking.redeem(
      end.deepLink["link"], "google.com", more: ["idToken": first.json["idToken"]])
    #expect(linked.verdict == "200")
    #expect(linked.json["localId"] == first.json["localId"])

    let again = NativeApp(server: server)
    let proof = try await again.open("google.com", parameters: ["person": person])
    let reply = try await again.redeem(
      proof.deepLink["link"], "google.com", more: ["autoCreate": false])
    #expect(reply.verdict == "200")
    #expect(reply.json["localId"] == first.json["localId"])

    let stranger = NativeApp(server: server)
    let unknown = try await stranger.open(
      "google.com", parameters: ["person": try await server.providers.person()])
    let refused = try await stranger.redeem(
      unknown.deepLink["link"], "google.com", more: ["autoCreate": false])
    #expect(refused.verdict == "400 USER_NOT_FOUND")
  }

  @Test func `an untrusted address needs confirmation, with a pending token`() async throws {
    let server = try suiteServer()
    let email = Unique.email()
    let person = try await server.providers.person(email: email)
    _ = try await server.app.signUp(email, "notasecret")
    let app = NativeApp(server: server)
    let end = try await app.open("oidc.simulator", parameters: ["person": person])
    let reply = try await app.redeem(end.deepLink["link"], "oidc.simulator")
    #expect(reply.verdict == "200")
    #expect(reply.json["needConfirmation"] == true)
    #expect(reply.json["idToken"].isNull)
    #expect(reply.json["pendingToken"].string != nil)
  }

  @Test func `an app receives the provider's response itself and redeems it`() async throws {
    let server = try suiteServer()
    let person = try await server.providers.person()
    let begun = try await server.app.call(
      "createAuthUri",
      [
        "providerId": "google.com", "continueUri": "http://127.0.0.1:61235/cb",
        "customParameter": ["login_hint": .string(person)],
      ])
    #expect(begun.verdict == "200")
    let end = try await Browser().open(
      try #require(begun.json["authUri"].string), within: [server.simulatorURL])
    guard case .app(let url) = end else { throw Unreachable(what: "the app: \(end)") }
    let request: JSON = [
      "requestUri": .string(try #require(url.string)), "sessionId": begun.json["sessionId"],
      "returnSecureToken": true,
    ]
    #expect(try await server.app.call("signInWithIdp", request).verdict == "200")
    #expect(
      try await server.app.call("signInWithIdp", request).message
        == "INVALID_IDP_RESPONSE : The provider's answer was used before. Begin the sign-in again.")
  }

  @Test func `another browser's response shows a page and tells the app nothing`() async throws {
    let server = try suiteServer()
    let app = NativeApp(server: server)
    let victim = Browser()
    // The attacker stops before the callback, and sends its URL to a victim.
    let provider = try await HTTP.get(
      app.url("google.com", parameters: ["person": try await server.providers.person()]))
    let callback = try await HTTP.get(try #require(provider.header("location")))
    let end = try await victim.open(
      try #require(callback.header("location")), within: [server.baseURL])
    guard case .page(let page) = end else { throw Unreachable(what: "a page: \(end)") }
    #expect(page.status == 400)
    #expect(page.text.contains("<h1>This sign-in belongs to another browser</h1>"))
  }
}
