import Crypto
import GatehouseAuth
import GatehouseCore
import Foundation
import GatehouseClient
import Testing

@Suite("OAuthProvider", .timeLimit(.minutes(5))) struct OAuthProviderBrowserTests {
  private static let link = "https://auth.example.com/__/auth/callback?code=abc&state=def"

  private let app: FirebaseApp
  private let auth: Auth
  private let browser: FakeBrowser

  /// A browser that returns with a link, unless a test sets something else.
  init() throws {
    try self.init(
      FakeBrowser { opened in
        FakeBrowser.address(["eventId": opened["eventId"] ?? "", "link": Self.link])
      })
  }

  private init(
    _ browser: FakeBrowser, options: (inout OptionValues) -> Void = { _ in }
  ) throws {
    self.browser = browser
    app = try makeApp(
      options: options, services: AppServices(store: MemoryStore(), browser: browser))
    auth = Auth.auth(app: app)
  }

  private func provider(_ id: String = "oidc.example") -> OAuthProvider {
    OAuthProvider(providerID: id, auth: auth)
  }

  private func error(of provider: OAuthProvider) async -> NSError? {
    do {
      _ = try await provider.credential(with: nil)
      return nil
    } catch {
      return error as NSError
    }
  }

  @Test func `has its id, and Google's settings at first`() {
    let provider = OAuthProvider.provider(providerID: .custom("oidc.example"), auth: auth)
    #expect(provider.providerID == "oidc.example")
    #expect(provider.scopes == [""])
    #expect(provider.customParameters == [:])
    #expect(OAuthProvider.id == "OAuth")
  }

  @Test func `opens the server's page with the scopes and parameters`() async throws {
    let provider = provider()
    provider.scopes = ["email", "profile"]
    provider.customParameters = ["login_hint": "ana+1@example.com"]
    _ = try await provider.credential(with: nil)
    let opened = try #require(browser.opened)
    #expect(opened.host() == "auth.example.com")
    #expect(opened.path() == "/__/auth/handler")
    #expect(browser.query["providerId"] == "oidc.example")
    #expect(browser.query["apiKey"] == "key-of-a-test")
    #expect(browser.query["authType"] == "signInWithRedirect")
    #expect(browser.query["scopes"] == "email,profile")
    #expect(browser.query["customParameters"] == #"{"login_hint":"ana+1@example.com"}"#)
    #expect(browser.query["redirectUrl"] == FakeBrowser.redirectURL)
  }

  @Test func `the credential has the response, and the secret of which the page saw the hash`()
    async throws
  {
    let credential = try await provider().credential(with: nil)
    #expect(credential.provider == "oidc.example")
    guard case .identityProvider(let value) = try credential.clientCredential() else {
      Issue.record("another kind")
      return
    }
    let answer = try #require(value.redirect)
    #expect(answer.requestURI == Self.link)
    let hash = SHA256.hash(data: Array(answer.sessionID.utf8)).map { byte in
      String(byte >> 4, radix: 16) + String(byte & 15, radix: 16)
    }
    #expect(browser.query["sessionId"] == hash.joined())
  }

  @Test func `each sign-in has its own secrets`() async throws {
    let provider = provider()
    _ = try await provider.credential(with: nil)
    let first = browser.query
    _ = try await provider.credential(with: nil)
    #expect(browser.query["sessionId"] != first["sessionId"])
    #expect(browser.query["eventId"] != first["eventId"])
  }

  @Test func `the completion handler gets the credential on the main actor`() async {
    let provider = provider()
    let provided = await withCheckedContinuation { continuation in
      provider.getCredentialWith(nil) { credential, error in
        MainActor.assertIsolated()
        continuation.resume(returning: (credential?.provider, error == nil))
      }
    }
    #expect(provided.0 == "oidc.example")
    #expect(provided.1)
  }

  @Test(arguments: [
    "client_id", "response_type", "redirect_uri", "state", "scope", "response_mode", "STATE",
  ])
  func `a reserved parameter is refused before a browser opens`(_ name: String) async {
    let provider = provider()
    provider.customParameters = [name: "mine"]
    let error = await error(of: provider)
    #expect(error?.code == AuthErrorCode.internalError.rawValue)
    #expect(error?.localizedDescription.contains(name) == true)
    #expect(browser.opened == nil)
  }

  @Test func `empty scopes, Firebase's default, count as none`() async throws {
    let provider = provider()
    _ = try await provider.credential(with: nil)
    #expect(browser.query["scopes"] == nil)
  }

  @Test func `a scope and a parameter can be added to the default`() async throws {
    let provider = provider()
    provider.scopes?.append("calendar.readonly")
    provider.customParameters?["login_hint"] = "ana@example.com"
    _ = try await provider.credential(with: nil)
    #expect(browser.query["scopes"] == "calendar.readonly")
    #expect(browser.query["customParameters"] == #"{"login_hint":"ana@example.com"}"#)
  }

  @Test(arguments: [
    (#"{"code":"auth/web-context-cancelled","message":"m"}"#, AuthErrorCode.webContextCancelled),
    (#"{"code":"auth/network-request-failed"}"#, .webNetworkRequestFailed),
    (#"{"code":"auth/internal-error"}"#, .webInternalError),
    (#"{"code":"auth/invalid-oauth-client-id"}"#, .invalidClientID),
    (#"{"code":"auth/odd","message":"m"}"#, .webSignInUserInteractionFailure),
    ("not JSON", .webSignInUserInteractionFailure),
  ])
  func `each error of the page has its code`(_ fault: String, _ code: AuthErrorCode) async throws {
    let tests = try OAuthProviderBrowserTests(
      FakeBrowser { opened in
        FakeBrowser.address(["eventId": opened["eventId"] ?? "", "firebaseError": fault])
      })
    #expect(await tests.error(of: tests.provider())?.code == code.rawValue)
  }

  @Test func `a response to another request is rejected`() async throws {
    let tests = try OAuthProviderBrowserTests(
      FakeBrowser { _ in FakeBrowser.address(["eventId": "another", "link": Self.link]) })
    #expect(
      await tests.error(of: tests.provider())?.code
        == AuthErrorCode.webSignInUserInteractionFailure.rawValue)
  }

  @Test func `a response without a link is rejected`() async throws {
    let tests = try OAuthProviderBrowserTests(
      FakeBrowser { opened in FakeBrowser.address(["eventId": opened["eventId"] ?? ""]) })
    #expect(
      await tests.error(of: tests.provider())?.code
        == AuthErrorCode.webSignInUserInteractionFailure.rawValue)
  }

  @Test(arguments: [
    (DeviceFault.cancelled, AuthErrorCode.webContextCancelled),
    (.busy, .webContextAlreadyPresented),
  ])
  func `each browser fault has its code`(_ fault: DeviceFault, _ code: AuthErrorCode) async throws {
    let tests = try OAuthProviderBrowserTests(FakeBrowser { _ throws(DeviceFault) in throw fault })
    #expect(await tests.error(of: tests.provider())?.code == code.rawValue)
  }

  @Test func `reports that its app was deleted`() async {
    let provider = provider()
    await app.delete()
    #expect(await error(of: provider)?.code == AuthErrorCode.internalError.rawValue)
  }
}
