import Foundation
import GatehouseClient
import Testing

/// Sign-ins in a browser, from the manager's side.
@Suite struct BrowserSignInTests {
  private static let oidc: Provider = "oidc.example"

  private static func scene(
    _ answer: @escaping @Sendable (_ eventID: String) throws(DeviceFault) -> [URLQueryItem]
  ) throws -> AccountScene {
    try AccountScene([oidc]) { journal, devices in
      devices.web = ScriptedBrowser(journal) { (address) throws(DeviceFault) -> String in
        let asked = URLComponents(url: address, resolvingAgainstBaseURL: false)?.queryItems ?? []
        let event = asked.first { $0.name == "eventId" }?.value ?? ""
        var inner = URLComponents()
        (inner.scheme, inner.host, inner.path) = (
          "https", "auth.example.com", "/__/auth/callback"
        )
        inner.queryItems = try answer(event)
        var outer = URLComponents()
        outer.queryItems = [URLQueryItem(name: "deep_link_id", value: inner.string)]
        return outer.string ?? ""
      }
    }
  }

  @Test func `the browser returns with the parameters for the server`() async throws {
    let scene = try Self.scene { event in
      [
        URLQueryItem(name: "eventId", value: event),
        URLQueryItem(name: "link", value: "sub-oidc.example"),
      ]
    }
    let answer = try await scene.manager.signIn(with: .browser(Self.oidc, scopes: ["email"]))
    #expect(answer.result?.user.uid == "alice")
    #expect(scene.journal.all == ["browser", "sign in oidc.example"])
    let body = try #require(scene.server.bodies("signIn").first)
    #expect(body["requestUri"] == "sub-oidc.example")
    #expect(body["sessionId"]?.string?.utf8.count ?? 0 >= 32)
  }

  @Test(arguments: [
    URLQueryItem(name: "link", value: "sub-oidc.example"),
    URLQueryItem(name: "firebaseError", value: #"{"code":"auth/web-context-cancelled"}"#),
  ])
  func `the answer to another sign-in is refused, and nothing is sent`(answer: URLQueryItem)
    async throws
  {
    let scene = try Self.scene { _ in [URLQueryItem(name: "eventId", value: "another"), answer] }
    await #expect(throws: AccountError.answer(.noPendingRequest)) {
      _ = try await scene.manager.signIn(with: .browser(Self.oidc))
    }
    #expect(scene.server.requestCount == 0)
  }

  @Test(arguments: [
    (
      #"{"code":"auth/network-request-failed","message":"no net"}"#,
      AccountError.device(.offline(detail: "no net"))
    ),
    (
      #"{"code":"auth/invalid-oauth-client-id","message":"no client"}"#,
      .device(.failed(detail: "auth/invalid-oauth-client-id: no client"))
    ),
    ("no JSON", .answer(.notUnderstood)),
  ])
  func `the server's errors have cases of their own`(text: String, error: AccountError)
    async throws
  {
    let scene = try Self.scene { event in
      [
        URLQueryItem(name: "eventId", value: event),
        URLQueryItem(name: "firebaseError", value: text),
      ]
    }
    await #expect(throws: error) {
      _ = try await scene.manager.signIn(with: .browser(Self.oidc))
    }
  }

  @Test(arguments: [true, false])
  func `closing the browser, or refusing on the page, cancels`(closes: Bool) async throws {
    let scene = try Self.scene { (event) throws(DeviceFault) -> [URLQueryItem] in
      if closes { throw .cancelled }
      return [
        URLQueryItem(name: "eventId", value: event),
        URLQueryItem(name: "firebaseError", value: #"{"code":"auth/web-context-cancelled"}"#),
      ]
    }
    guard case .cancelled = try await scene.manager.signIn(with: .browser(Self.oidc)) else {
      Issue.record("not cancelled")
      return
    }
  }

  @Test func `a reserved protocol parameter opens no browser`() async throws {
    let scene = try Self.scene { _ in [] }
    let method = SignInMethod.browser(Self.oidc, customParameters: ["redirect_uri": "https://x"])
    do throws(AccountError) {
      _ = try await scene.manager.signIn(with: method)
      Issue.record("not refused")
    } catch {
      guard case .client(.invalidArgument) = error else { throw error }
    }
    #expect(scene.journal.all.isEmpty)
  }

  @Test func `a sign-in in the browser re-authenticates for the deletion`() async throws {
    let scene = try Self.scene { event in
      [
        URLQueryItem(name: "eventId", value: event),
        URLQueryItem(name: "link", value: "sub-oidc.example"),
      ]
    }
    _ = try await scene.manager.signIn(with: .browser(Self.oidc))
    scene.clock.advance(seconds: 1000)
    scene.journal.clear()
    _ = try await scene.manager.deleteAccount()
    #expect(scene.journal.all == ["browser", "reauthenticate oidc.example", "delete"])
  }
}
