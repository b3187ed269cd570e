#if !canImport(AuthenticationServices)
  import FirebaseAuth
  import FirebaseCore
  import Foundation
  import GatehouseClient
  import Synchronization
  import Testing

  /// Where there is no sheet of the system's, a delegate opens the browser.
  @Suite("AuthUIDelegate off UIKit", .timeLimit(.minutes(5))) struct AuthUIDelegateTests {
    private final class Opener: NSObject, AuthUIDelegate, Sendable {
      let opened = Mutex<URL?>(nil)

      func open(_ url: URL) async throws {
        opened.withLock { $0 = url }
        throw CocoaError(.featureUnsupported)
      }
    }

    @Test func `is given the page, which leads back to this machine`() async throws {
      let opener = Opener()
      let provider = OAuthProvider(
        providerID: "oidc.example", auth: Auth.auth(app: try makeApp()))
      await #expect(throws: AuthErrorCode.webSignInUserInteractionFailure) {
        try await provider.credential(with: opener)
      }
      let opened = try #require(opener.opened.withLock { $0 })
      #expect(opened.path() == "/__/auth/handler")
      let back = FakeBrowser.query(of: opened)["redirectUrl"].flatMap(URL.init(string:))
      #expect(back?.host() == "127.0.0.1")
      #expect(back?.scheme == "http")
    }
  }
#endif
