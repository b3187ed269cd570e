import FirebaseAuth
import FirebaseCore
import Foundation
import GatehouseClient
import SafariServices
import SimulatedDevice
import Testing
import UIKit

extension Guides {
  /// "If you want to customize the way your app presents the SFSafariViewController … create a custom
  /// class that conforms to the FIRAuthUIDelegate protocol."
  @Suite @MainActor struct AuthUIDelegateTests {
    /// Presents on the window's view controller, and records it.
    @MainActor private final class Delegate: NSObject, @MainActor AuthUIDelegate {
      private(set) var presented: [UIViewController] = []
      private(set) var dismissals = 0
      /// Whether it calls the completion when it has dismissed.
      var saysWhen = true

      func present(
        _ viewControllerToPresent: UIViewController, animated flag: Bool,
        completion: (() -> Void)?
      ) {
        presented.append(viewControllerToPresent)
        UIApplication.shared.root?.present(
          viewControllerToPresent, animated: flag, completion: completion)
      }

      func dismiss(animated flag: Bool, completion: (() -> Void)?) {
        dismissals += 1
        UIApplication.shared.root?.dismiss(
          animated: flag, completion: saysWhen ? completion : nil)
      }
    }

    /// An app's own page, which conforms without changes. In Swift 5's language mode, without `@MainActor`.
    private final class Page: UIViewController, @MainActor AuthUIDelegate {}

    /// An app with a registered URL scheme. It passes on the URLs with which it is opened.
    private func provider(_ device: Device) throws -> (OAuthProvider, Auth) {
      var values = OptionValues()
      values.googleAppID = "1:12345:ios:0a1b2c3d4e5f"
      values.gcmSenderID = "12345"
      values.apiKey = "any-key"
      values.projectID = "demo"
      values.bundleID = "com.example.app"
      values.clientID = "demo.apps.example.com"
      values.serverURL = URL(string: device.server.baseURL)
      let app = try FirebaseApp.add(
        name: device.person, values: values,
        services: AppServices(store: MemoryStore(), urlSchemes: ["com.example.apps.demo"]))
      let auth = Auth.auth(app: app)
      UIApplication.shared.simulatedOpening = { url in auth.canHandle(url) }
      return (OAuthProvider(providerID: "oidc.example-provider", auth: auth), auth)
    }

    private func signIn(
      _ app: (provider: OAuthProvider, auth: Auth), _ delegate: (any AuthUIDelegate)?
    ) async throws -> AuthDataResult {
      try await app.auth.signIn(with: app.provider, uiDelegate: delegate)
    }

    private func code(_ body: () async throws -> Void) async -> AuthErrorCode? {
      do {
        try await body()
        return nil
      } catch {
        return error as? AuthErrorCode
      }
    }

    @Test func `presents the browser, and dismisses it when the response arrives`() async throws {
      let device = try await Device.unpacked()
      let delegate = Delegate()
      let result = try await signIn(try provider(device), delegate)
      #expect(result.user.providerData.map(\.providerID) == ["oidc.example-provider"])
      #expect(delegate.presented.count == 1)
      #expect(delegate.presented.first is SFSafariViewController)
      #expect(delegate.dismissals == 1)
      #expect(UIApplication.shared.root?.presentedViewController == nil)
    }

    @Test func `can be an unchanged view controller`() async throws {
      let device = try await Device.unpacked()
      let page = Page()
      UIApplication.shared.simulateLaunch(page)
      let result = try await signIn(try provider(device), page)
      #expect(result.user.providerData.map(\.providerID) == ["oidc.example-provider"])
      #expect(page.presentedViewController == nil)
    }

    @Test func `the response also arrives by the functions of the app's and the scene's delegate`()
      async throws
    {
      let device = try await Device.unpacked()
      let app = try provider(device)
      UIApplication.shared.simulatedOpening = { url in
        _ = app.1.application(UIApplication.shared, open: url, options: [:])
      }
      _ = try await signIn(app, Delegate())
      UIApplication.shared.simulatedOpening = { url in
        app.1.scene(UIScene(), openURLContexts: [UIOpenURLContext(url: url)])
      }
      _ = try await signIn(app, Delegate())
      let other = try #require(URL(string: "com.example.app://settings"))
      #expect(!app.1.application(UIApplication.shared, open: other, options: [:]))
    }

    @Test func `a remote notification is for the app`() async throws {
      let auth = try provider(try await Device.unpacked()).1
      var result: UIBackgroundFetchResult?
      auth.application(UIApplication.shared, didReceiveRemoteNotification: [:]) { result = $0 }
      #expect(result == .noData)
    }

    @Test func `isn't asked to dismiss what the user closed`() async throws {
      let device = try await Device.unpacked()
      SimulatedDevice.current.decision = .cancels
      let (provider, delegate) = (try provider(device), Delegate())
      #expect(await code { _ = try await signIn(provider, delegate) } == .webContextCancelled)
      #expect(delegate.presented.count == 1)
      #expect(delegate.dismissals == 0)
    }

    @Test func `a second browser is refused, and a cancelled task dismisses its own`()
      async throws
    {
      let device = try await Device.unpacked()
      SimulatedDevice.current.decision = .waits
      let (provider, delegate) = (try provider(device), Delegate())
      let first = Task { await code { _ = try await signIn(provider, delegate) } }
      try await eventually { !delegate.presented.isEmpty }
      #expect(
        await code { _ = try await signIn(provider, Delegate()) } == .webContextAlreadyPresented)
      first.cancel()
      #expect(await first.value == .webContextCancelled)
      #expect(delegate.dismissals == 1)
    }

    @Test func `a delegate that never reports its dismissal delays the sign-in only briefly`()
      async throws
    {
      let device = try await Device.unpacked()
      let delegate = Delegate()
      delegate.saysWhen = false
      let result = try await signIn(try provider(device), delegate)
      #expect(result.user.providerData.map(\.providerID) == ["oidc.example-provider"])
    }

    @Test func `without a delegate the system's sheet needs no URL handling`() async throws {
      let device = try await Device.unpacked()
      let provider = try provider(device)
      UIApplication.shared.simulatedOpening = { url in Issue.record("opened with \(url)") }
      let result = try await signIn(provider, nil)
      #expect(result.user.providerData.map(\.providerID) == ["oidc.example-provider"])
      #expect(UIApplication.shared.root?.presentedViewController == nil)
    }
  }
}
