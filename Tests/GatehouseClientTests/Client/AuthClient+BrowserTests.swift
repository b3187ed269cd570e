import Foundation
import GatehouseClient
import GatehouseProtocol
import Testing

@Suite struct AuthClientBrowserTests {
  private static func request() -> BrowserSignInRequest {
    BrowserSignInRequest(
      provider: "oidc.example", scopes: ["mail", "calendar"],
      customParameters: ["login_hint": "a+b@example.com"], sessionID: "secret", eventID: "event",
      redirectURL: "http://127.0.0.1:1234/back?x=1")
  }

  @Test func `the server is told what it needs, and the session id by its digest`() throws {
    let client = try Bench().client
    client.languageCode = "de"
    let url = try client.handlerURL(Self.request())
    let components = try #require(URLComponents(url: url, resolvingAgainstBaseURL: false))
    #expect(components.path == "/__/auth/handler")
    let items = Dictionary(
      uniqueKeysWithValues: (components.queryItems ?? []).map { ($0.name, $0.value) })
    #expect(items["apiKey"] == "key/1")
    #expect(items["authType"] == "signInWithRedirect")
    #expect(items["ibi"] == "com.example.app")
    #expect(
      items["sessionId"] == "2bb80d537b1da3e38bd30361aa855686bde0eacd7162fef6a25fe97bf527a25b")
    #expect(items["eventId"] == "event")
    #expect(items["providerId"] == "oidc.example")
    #expect(items["scopes"] == "mail,calendar")
    #expect(items["customParameters"] == #"{"login_hint":"a+b@example.com"}"#)
    #expect(items["hl"] == "de")
    #expect(items["redirectUrl"] == "http://127.0.0.1:1234/back?x=1")
    #expect(!url.absoluteString.contains("+"))
    #expect(!url.absoluteString.contains("secret"))
  }

  @Test(arguments: [
    "client_id", "response_type", "redirect_uri", "state", "scope", "response_mode", "nonce",
    "code_challenge", "code_challenge_method", "STATE", "client_secret", "client_assertion",
    "client_assertion_type", "code", "code_verifier", "request", "request_uri", "registration",
    "id_token_hint", "dpop_jkt",
  ])
  func `a parameter that only the server sets is refused`(name: String) throws {
    let client = try Bench().client
    var request = Self.request()
    request.customParameters[name] = "x"
    #expect(
      throws: ClientError.invalidArgument(detail: "The parameter \(name) is set by the server.")
    ) { try client.handlerURL(request) }
  }

  @Test func `an emulator has its handler at another path`() throws {
    let client = try Bench().client
    try client.connect(toEmulatorHost: "localhost", port: 9099)
    #expect(try client.handlerURL(Self.request()).path == "/emulator/auth/handler")
  }

  @Test func `the handler is at the app's own domain if the request says so`() throws {
    var request = Self.request()
    request.handlerHost = "login.example.com"
    let url = try Bench().client.handlerURL(request)
    #expect(url.absoluteString.hasPrefix("https://login.example.com/__/auth/handler?"))
  }

  @Test(arguments: ["", "a b", "login.example.com/x", "ada@login.example.com"])
  func `what isn't a host is refused`(host: String) throws {
    var request = Self.request()
    request.handlerHost = host
    #expect(
      throws: ClientError.invalidArgument(detail: "The server's URL can't be used.")
    ) { try Bench().client.handlerURL(request) }
  }

  @Test func `the project's domains are read with a GET`() async throws {
    let bench = try Bench()
    bench.server.on("v1/projects") {
      ProjectResponse(projectNumber: "12345", authorizedDomains: ["localhost"])
    }
    #expect(try await bench.client.authorizedDomains() == ["localhost"])
    let request = try #require(bench.server.requests.first)
    #expect(request.method == .get)
    #expect(request.body == nil)
    #expect(request.headers["Content-Type"] == nil)
  }
}
