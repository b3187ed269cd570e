#if !canImport(AuthenticationServices)
  import GatehouseAuth
  import GatehouseCore
  import Foundation
  import GatehouseClient
  import GatehouseProtocol
  import Testing

  #if canImport(FoundationNetworking)
    import FoundationNetworking
  #endif

  /// On platforms without a system sheet, a delegate opens the browser.
  @Suite("AuthUIDelegate off UIKit", .timeLimit(.minutes(5))) struct DelegateBrowserTests {
    private final class Opener: NSObject, AuthUIDelegate, Sendable {
      /// The address to which the opened page redirects.
      let page = Locked<URL?>(nil)

      func open(_ url: URL) async throws {
        let session = URLSession(
          configuration: .ephemeral, delegate: Stopping(), delegateQueue: nil)
        defer { session.invalidateAndCancel() }
        let (_, response) = try await session.data(from: url)
        let location = (response as? HTTPURLResponse)?.value(forHTTPHeaderField: "Location")
        page.withLock { $0 = location.flatMap(URL.init(string:)) }
        throw CocoaError(.featureUnsupported)
      }
    }

    /// Follows no redirect: there is no server at its target.
    private final class Stopping: NSObject, URLSessionTaskDelegate {
      func urlSession(
        _ session: URLSession, task: URLSessionTask,
        willPerformHTTPRedirection response: HTTPURLResponse, newRequest request: URLRequest,
        completionHandler: @escaping (URLRequest?) -> Void
      ) {
        completionHandler(nil)
      }
    }

    @Test func `is given the page, which leads back to this machine`() async throws {
      let opener = Opener()
      let provider = OAuthProvider(
        providerID: "oidc.example", auth: Auth.auth(app: try makeApp()))
      await #expect(throws: AuthErrorCode.webSignInUserInteractionFailure) {
        try await provider.credential(with: opener)
      }
      let opened = try #require(opener.page.withLock { $0 })
      #expect(opened.path() == "/__/auth/handler")
      let back = FakeBrowser.query(of: opened)["redirectUrl"].flatMap(URL.init(string:))
      #expect(back?.host() == "127.0.0.1")
      #expect(back?.scheme == "http")
    }
  }
#endif
