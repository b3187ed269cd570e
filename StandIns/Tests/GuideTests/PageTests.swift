import FirebaseAuth
import Foundation
import GatehouseClient
import GatehouseUI
import GoogleSignIn
import Security
import SimulatedDevice
import SwiftUI
import Testing
import UIKit

@testable import AccountDeletion

extension Guides {
  /// Presses the buttons of GatehouseUI's pages and of the example's pages, against a real server,
  /// with the stand-ins of the system's sheets.
  @Suite @MainActor struct PageTests {
    private func manager(_ device: Device) throws -> AccountManager {
      let url = try #require(URL(string: device.server.baseURL))
      var configuration = try ClientConfiguration(
        serverURL: url, apiKey: "any-key", projectID: "demo")
      configuration.bundleID = "com.example.app"
      let client = AuthClient(
        configuration: configuration,
        store: KeychainStore(configuration: configuration, accessGroup: device.person),
        transport: URLSessionTransport())
      return AccountManager(
        client: client,
        devices: AccountDevices(
          apple: AppleSheet(), passwords: AppleSheet(),
          google: GoogleSheet(presenter: { UIApplication.shared.root }),
          web: WebSheet(scheme: "com.example.apps.demo")))
    }

    private static let options: [SignInOption] = [.apple, .google, .password]

    private func page(_ manager: AccountManager) -> SimulatedWindow<AccountView> {
      SimulatedWindow(AccountView(manager: manager, options: Self.options))
    }

    /// Makes the project require consent while `body` runs.
    private func withConsent(_ device: Device, _ body: () async throws -> Void) async throws {
      func set(_ policy: String) async throws {
        let reply = try await HTTP.send(
          "PATCH", "\(device.server.baseURL)/v2/projects/demo/config", bearer: "owner",
          ["linkConsent": .string(policy)])
        try #require(reply.status == 200, "\(reply.text)")
      }
      try await set("anonymized")
      do {
        try await body()
      } catch {
        try await set("off")
        throw error
      }
      try await set("off")
    }

    private static let password = "made-up password"

    /// A user with a password account, signed out. Apple's sheet will hide their address.
    private func passwordAccount(
      _ device: Device, _ manager: AccountManager, isSaved: Bool
    ) async throws -> String {
      let uid = try await manager.client.createUser(
        email: device.email, password: Self.password
      ).user.uid
      try manager.client.signOut()
      SimulatedDevice.current.hidesEmail = true
      if isSaved {
        SimulatedDevice.current.savedPassword = .init(
          user: device.email, password: Self.password)
      }
      return uid
    }

    @Test
    func `a user with a hidden address and a saved password keeps one account, after agreeing`()
      async throws
    {
      let device = try await Device.unpacked()
      let manager = try manager(device)
      let uid = try await passwordAccount(device, manager, isSaved: true)
      try await withConsent(device) {
        let page = page(manager)
        try page.screen.press("Continue with Apple")
        try await page.eventually {
          $0.dialogs == ["Are you new here, or do you have an account already?"]
        }
        try page.screen.press("I Have an Account")
        try await page.eventually { $0.dialogs == ["Connect to Your Account?"] }
        #expect(page.screen.texts.contains { $0.contains("• Your Apple Account") })
        try page.screen.press("Agree")
        try await page.eventually {
          _ in
          Set(manager.authState.user?.providers.map(\.provider) ?? []) == [.password, .apple]
        }
        #expect(manager.authState.user?.uid == uid)
        let account = try await device.account(uid)
        #expect(account["consents"][0]["version"].string == "gatehouse-2-en")
        #expect(page.screen.dialogs.isEmpty)
      }
    }

    @Test func `a user who declines is signed in, and nothing is linked`() async throws {
      let device = try await Device.unpacked()
      let manager = try manager(device)
      let uid = try await passwordAccount(device, manager, isSaved: true)
      try await withConsent(device) {
        let page = page(manager)
        try page.screen.press("Continue with Apple")
        try await page.eventually { $0.buttons.contains("I Have an Account") }
        try page.screen.press("I Have an Account")
        try await page.eventually { $0.buttons.contains("Don't Connect") }
        try page.screen.press("Don't Connect")
        try await page.eventually { $0.dialogs.isEmpty }
        #expect(manager.authState.user?.uid == uid)
        #expect(manager.authState.user?.providers.map(\.provider) == [.password])
      }
    }

    @Test func `without a saved password the user types it`() async throws {
      let device = try await Device.unpacked()
      let manager = try manager(device)
      let uid = try await passwordAccount(device, manager, isSaved: false)
      let page = page(manager)
      try page.screen.press("Continue with Apple")
      try await page.eventually { $0.buttons.contains("I Have an Account") }
      try page.screen.press("I Have an Account")
      try await page.eventually {
        $0.texts.contains(
          "Sign in to your account. We then connect the new way to sign in to it.")
      }
      try await page.eventually { (try? $0.press("Continue with Password")) != nil }

      // Nothing is typed yet.
      #expect(throws: Screen.NotThere.self) { try page.screen.press("Sign In") }
      try enter(page, device.email, "wrong password")
      try await page.eventually {
        $0.texts.contains(
          "The password isn't right. Try again, or have a new one sent to you.")
      }
      try enter(page, device.email, Self.password)
      try await page.eventually { _ in
        Set(manager.authState.user?.providers.map(\.provider) ?? []) == [.password, .apple]
      }
      #expect(manager.authState.user?.uid == uid)
      try await page.eventually { $0.dialogs.isEmpty }
    }

    private func enter(_ page: SimulatedWindow<AccountView>, _ email: String, _ password: String)
      throws
    {
      try page.screen.enter(email, in: "Email")
      try page.screen.enter(password, in: "Password")
      try page.screen.press("Sign In")
    }

    @Test func `a new user creates an account, and deletes it`() async throws {
      let device = try await Device.unpacked()
      let manager = try manager(device)
      let page = page(manager)
      try page.screen.press("Continue with Apple")
      try await page.eventually { $0.buttons.contains("I'm New") }
      try page.screen.press("I'm New")
      try await eventually { manager.authState.user != nil }
      let uid = try #require(manager.authState.user?.uid)
      try await page.eventually { $0.buttons.contains("Delete Account") }
      try page.screen.press("Delete Account")
      try page.screen.press("Yes, Delete")
      try await eventually { manager.authState == .signedOut }
      #expect(try await device.account(uid).isNull)
      // The server revokes, after the deletion, if it has exchanged the code by now.
      try await eventually { try await device.appleState() == "revoked" }
    }

    @Test func `saved passwords are offered once, when the buttons appear`() async throws {
      let device = try await Device.unpacked()
      let manager = try manager(device)
      let uid = try await passwordAccount(device, manager, isSaved: true)
      let page = page(manager)
      for task in page.screen.tasks { await task() }
      #expect(manager.authState.user?.uid == uid)
      try manager.client.signOut()
      for task in page.screen.tasks { await task() }
      #expect(manager.authState == .signedOut)
    }

    @Test func `a device without saved passwords shows no sheet and no error`() async throws {
      let device = try await Device.unpacked()
      let page = page(try manager(device))
      for task in page.screen.tasks { await task() }
      #expect(page.screen.dialogs.isEmpty)
      guard case .cancelled = try await manager(device).signIn(with: .savedPassword) else {
        Issue.record("There was one.")
        return
      }
    }

    /// Options for which no sign-in is recent enough.
    private static var asIfOld: DeletionOptions {
      var options = DeletionOptions()
      options.recentSignIn = 0
      return options
    }

    @Test(arguments: [nil, "an old password"] as [String?])
    func `a user without the right saved password types it to delete the account`(saved: String?)
      async throws
    {
      let device = try await Device.unpacked()
      let manager = try manager(device)
      let uid = try await manager.client.createUser(
        email: device.email, password: Self.password
      ).user.uid
      SimulatedDevice.current.savedPassword = saved.map {
        SimulatedDevice.SavedPassword(user: device.email, password: $0)
      }
      let window = SimulatedWindow(
        DeleteAccountButton(manager: manager, options: Self.asIfOld))
      try window.screen.press("Delete Account")
      try window.screen.press("Yes, Delete")
      try await window.eventually {
        $0.texts.contains("Enter your password to delete your account.")
      }
      try window.screen.enter("wrong password", in: "Password")
      try window.screen.press("Yes, Delete")
      try await window.eventually { $0.dialogs == ["We couldn't confirm that it's you"] }
      try window.screen.press("OK")
      #expect(try await !device.account(uid).isNull)

      try window.screen.press("Delete Account")
      try window.screen.press("Yes, Delete")
      try await window.eventually {
        $0.texts.contains("Enter your password to delete your account.")
      }
      try window.screen.enter(Self.password, in: "Password")
      try window.screen.press("Yes, Delete")
      try await eventually { manager.authState == .signedOut }
      #expect(try await device.account(uid).isNull)
    }

    // MARK: The example

    @Test func `the example's page says what to do when a revocation fails`() async throws {
      let device = try await Device.unpacked()
      let documents = try DocumentServer()
      defer { documents.stop() }
      ExampleServer.documents = documents.url
      let manager = AuthManager()
      defer { manager.removeAuthStateListener() }
      let login = SimulatedWindow(LoginView().environmentObject(manager))
      try login.screen.press("Sign in with Apple")
      try await eventually { manager.authState == .signedIn }
      try await eventually { documents.requests.contains { $0.hasPrefix("PUT") } }

      try await device.setFault("/apple/auth/token", status: 503, count: 20)
      let home = SimulatedWindow(HomeView().environmentObject(manager))
      try home.screen.press("Delete Account")
      #expect(home.screen.dialogs == ["Delete Account"])
      try home.screen.press("Yes, Delete")
      try await home.eventually { $0.dialogs == ["Still connected with Apple"] }
      #expect(home.screen.texts.contains { $0.contains("remove this app there") })
      try home.screen.press("OK")
      #expect(home.screen.dialogs.isEmpty)
      #expect(manager.authState == .signedIn)

      try await device.endFaults()
      try home.screen.press("Delete Account")
      try home.screen.press("Yes, Delete")
      try await eventually { manager.authState == .signedOut }
      #expect(documents.requests.last?.hasPrefix("DELETE /users/") == true)
    }

    @Test func `the example's page shows no message when the user closed the sheet`() async throws {
      _ = try await Device.unpacked()
      SimulatedDevice.current.decision = .cancels
      let manager = AuthManager()
      defer { manager.removeAuthStateListener() }
      let login = SimulatedWindow(LoginView().environmentObject(manager))
      let before = SimulatedDevice.sheetsEnded
      try login.screen.press("Sign in with Apple")
      try await eventually { SimulatedDevice.sheetsEnded > before }
      #expect(login.screen.dialogs.isEmpty)
    }
  }
}

extension SimulatedWindow {
  /// Checks until the contents match, for at most five minutes, and reports what was shown otherwise.
  fileprivate func eventually(
    sourceLocation: SourceLocation = #_sourceLocation, _ isShown: (Screen) -> Bool
  ) async throws {
    let end = ContinuousClock.now + .seconds(300)
    while true {
      let screen = screen
      if isShown(screen) { return }
      try #require(
        ContinuousClock.now < end,
        "shown: \(screen.dialogs), \(screen.texts), \(screen.buttons)",
        sourceLocation: sourceLocation)
      try await Task.sleep(for: .milliseconds(10))
    }
  }
}
