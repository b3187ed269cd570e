import GatehouseAuth
import GatehouseCore
import Foundation
import GatehouseClient
import Testing

/// A browser that the app presents, and the URLs with which the app is opened.
@Suite("A browser whose response is a URL", .serialized) struct WaitingBrowserTests {
  private static let scheme = "com.example.app"

  private func answer(
    _ event: String, scheme: String = Self.scheme, host: String = "firebaseauth",
    path: String = "/link"
  ) throws -> URL {
    var inner = URLComponents()
    inner.scheme = "https"
    inner.host = "auth.example.com"
    inner.path = "/__/auth/callback"
    inner.queryItems = [
      URLQueryItem(name: "eventId", value: event), URLQueryItem(name: "link", value: "https://l"),
    ]
    var outer = URLComponents()
    outer.scheme = scheme
    outer.host = host
    outer.path = path
    outer.queryItems = [URLQueryItem(name: "deep_link_id", value: inner.string)]
    return try #require(outer.url)
  }

  @Test func `ends with its own URL, through the app`() async throws {
    let auth = Auth.auth(app: try makeApp())
    let waiting = WaitingBrowser(scheme: Self.scheme, eventID: "event-1")
    waiting.begin()
    let url = try answer("event-1")
    #expect(auth.canHandle(url))
    #expect(try await waiting.answer.value() == url)
    // The same URL works only once: then no request waits for it.
    #expect(!WaitingBrowser.take(url))
  }

  @Test func `its scheme is compared without regard to case`() throws {
    let waiting = WaitingBrowser(scheme: Self.scheme, eventID: "event-1")
    waiting.begin()
    defer { waiting.end() }
    #expect(WaitingBrowser.take(try answer("event-1", scheme: "COM.EXAMPLE.APP")))
  }

  @Test func `the URL of another request, or another address, changes nothing`() throws {
    let waiting = WaitingBrowser(scheme: Self.scheme, eventID: "event-1")
    waiting.begin()
    defer { waiting.end() }
    for url in [
      try answer("event-2"), try answer("event-1", scheme: "com.example.other"),
      try answer("event-1", host: "firebase"), try answer("event-1", path: "/links"),
      try #require(URL(string: "com.example.app://firebaseauth/link")),
    ] {
      #expect(!WaitingBrowser.take(url))
    }
    #expect(WaitingBrowser.take(try answer("event-1")))
  }

  @Test func `a browser that no longer waits accepts no URL`() throws {
    let waiting = WaitingBrowser(scheme: Self.scheme, eventID: "event-1")
    waiting.begin()
    waiting.end()
    #expect(!WaitingBrowser.take(try answer("event-1")))
  }
}
