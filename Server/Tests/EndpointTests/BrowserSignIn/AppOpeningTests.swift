import Foundation
import GatehouseServer
import GatehouseProtocol
import HTTPTypes
import Testing

/// How the user gets back to the app: by a redirect, or by a page with a button if a redirect
/// doesn't work, and never to another target than the app of this sign-in.
@Suite struct AppOpeningTests {
  private static let chromium = ["sec-ch-ua": #""Chromium";v="142""#, "sec-fetch-dest": "document"]

  private func arrive(
    _ server: TestServer, _ headers: [String: String],
    _ changes: KeyValuePairs<String, String?> = [:]
  ) async throws -> TestReply {
    let flow = try await BrowserFlow(server, "oidc.trusted", changes)
    var request = TestRequest(flow.path)
    request.method = .get
    request.key = nil
    request.query = "state=\(flow.state)&code=c"
    request.headers[.cookie] = flow.cookies.joined(separator: "; ")
    for (name, value) in headers {
      request.headers[try #require(HTTPField.Name(name))] = value
    }
    return try await server.call(request)
  }

  /// The link of the page's button.
  private func button(_ page: TestReply) -> String? {
    page.text.firstMatch(of: /<a class="go" id="open-app" href="([^"]*)">/)
      .map { String($0.1).replacing("&amp;", with: "&") }
  }

  @Test func `a Chromium without user activation gets a button, and tries by itself`() async throws
  {
    try await TestServer.with { server in
      let page = try await arrive(server, Self.chromium)
      #expect(page.status == 200)
      #expect(page.headers[.location] == nil)
      #expect(page.headers[.setCookie]?.hasSuffix("Max-Age=0") == true)
      let link = try #require(button(page))
      #expect(link.hasPrefix("com.example.app://firebaseauth/link?deep_link_id="))
      let refresh = page.text.firstMatch(of: /http-equiv="refresh" content="0;url=([^"]*)"/)
      #expect(refresh.map { String($0.1).replacing("&amp;", with: "&") } == link)
    }
  }

  @Test(arguments: [
    [:], ["sec-ch-ua": "x"], ["sec-fetch-dest": "document"],
    ["sec-ch-ua": "x", "sec-fetch-dest": "document", "sec-fetch-user": "?1"],
  ]) func `other browsers are redirected`(_ headers: [String: String]) async throws {
    try await TestServer.with { server in
      let reply = try await arrive(server, headers)
      #expect(reply.status == 303)
      #expect(reply.link != nil)
    }
  }

  @Test func `an app on loopback is always redirected to`() async throws {
    try await TestServer.with { server in
      let reply = try await arrive(
        server, Self.chromium, ["redirectUrl": "http://localhost:61000/answer", "ibi": nil])
      #expect(reply.status == 303)
    }
  }

  @Test func `a browser that opens the app's link offers the app of that sign-in`() async throws {
    try await TestServer.with { server in
      let arrived = try await arrive(server, [:])
      let location = try #require(arrived.headers[.location])
      let deepLink = try #require(BrowserFlow.parameters(location)["deep_link_id"])
      let query = String(deepLink.drop { $0 != "?" }.dropFirst())
      let page = try await BrowserFlow.get(server, query, path: "/__/auth/callback")
      #expect(page.heading == "Go back to the app")
      #expect(button(page) == location)
      #expect(!page.text.contains("http-equiv=\"refresh\""))
    }
  }

  @Test func `an app whose answer goes to the callback is offered by its scheme`() async throws {
    try await TestServer.with { server in
      let callback = "http://localhost/__/auth/callback?ibi=com.example.app"
      let arrived = try await arrive(server, [:], ["redirectUrl": callback, "ibi": nil])
      let location = try #require(arrived.headers[.location])
      #expect(location.hasPrefix(callback + "&deep_link_id="))
      let query = String(location.drop { $0 != "?" }.dropFirst())
      let page = try await BrowserFlow.get(server, query, path: "/__/auth/callback")
      let link = try #require(button(page))
      #expect(link.hasPrefix("com.example.app://firebaseauth/link?deep_link_id="))
      #expect(
        BrowserFlow.parameters(link)["deep_link_id"]
          == BrowserFlow.parameters(location)["deep_link_id"])
    }
  }

  @Test(arguments: [
    "authType=signInWithRedirect&eventId=e&link=https%3A%2F%2Flocalhost%2F__%2Fauth%2Fhandler%3Fanswer%3Dghr_x",
    "deep_link_id=com.evil.app%3A%2F%2Fx&link=com.evil.app%3A%2F%2Fx", "link=javascript%3Aalert(1)",
    "firebaseError=%7B%7D&ibi=com.evil.app", "deep_link_id=x&ibi=com.example.app",
  ]) func `an attacker can't choose what the page opens`(_ query: String) async throws {
    try await TestServer.with { server in
      let page = try await BrowserFlow.get(server, query, path: "/__/auth/callback")
      #expect(page.status == 200)
      #expect(page.heading == "Go back to the app")
      #expect(button(page) == nil)
      #expect(!page.text.contains("evil"))
    }
  }

  @Test func `an app that the project no longer lists isn't offered`() async throws {
    try await TestServer.withShop(domains: [], bundleID: "com.example.shop") { server, app in
      let apps = Apps(ProjectDirectory(store: server.store))
      let key = try await apps.createKey(for: app.project, displayName: nil)
      let flow = try await BrowserFlow(
        server, "google.com", ["apiKey": key.text, "ibi": "com.example.shop"])
      let arrived = try await flow.arrive("state=\(flow.state)&code=c")
      let location = try #require(arrived.headers[.location])
      let deepLink = try #require(BrowserFlow.parameters(location)["deep_link_id"])
      let query = String(deepLink.drop { $0 != "?" }.dropFirst())
      let offered = try await BrowserFlow.get(server, query, path: "/__/auth/callback")
      #expect(button(offered) == location)
      #expect(try await apps.delete(app.id, of: app.project))
      let gone = try await BrowserFlow.get(server, query, path: "/__/auth/callback")
      #expect(gone.heading == "Go back to the app")
      #expect(button(gone) == nil)
    }
  }
}
