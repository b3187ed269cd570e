import AuthenticationServices
import Foundation
import GatehouseClient
import GoogleSignIn
import Security
import SimulatedDevice
import Testing
import UIKit

extension Guides {
  /// The files that only devices compile, with their real tasks: `AppleSheet`, `GoogleSheet`,
  /// `WebSheet` and `KeychainStore`, used by an `AccountManager`.
  @Suite @MainActor struct DeviceSheetTests {
    private func client(_ device: Device) throws -> AuthClient {
      let url = try #require(URL(string: device.server.baseURL))
      var configuration = try ClientConfiguration(
        serverURL: url, apiKey: "any-key", projectID: "demo")
      configuration.bundleID = "com.example.app"
      return AuthClient(
        configuration: configuration,
        // Each test has its own keychain group, so that none finds another test's session.
        store: KeychainStore(configuration: configuration, accessGroup: device.person),
        transport: URLSessionTransport())
    }

    private func manager(_ device: Device) throws -> AccountManager {
      AccountManager(
        client: try client(device),
        devices: AccountDevices(
          apple: AppleSheet(), passwords: AppleSheet(),
          google: GoogleSheet(presenter: { UIApplication.shared.root }),
          web: WebSheet(scheme: "com.example.apps.demo")))
    }

    @Test func `Apple's sheet signs in, and sends the name once`() async throws {
      let device = try await Device.unpacked()
      let manager = try manager(device)
      let result = try #require(try await manager.signIn(with: .apple).result)
      #expect(result.isNewUser)
      #expect(result.snapshot.email == device.email)
      #expect(manager.client.currentUser?.snapshot.displayName == "Zoë Nguyễn")
    }

    @Test func `closing the sheet is not an error, and a second sheet is refused`() async throws {
      let device = try await Device.unpacked()
      let manager = try manager(device)
      SimulatedDevice.current.decision = .cancels
      guard case .cancelled = try await manager.signIn(with: .apple) else {
        Issue.record("It wasn't cancelled.")
        return
      }
      SimulatedDevice.current.decision = .waits
      let before = SimulatedDevice.sheetsBegun
      let open = Task { try await AppleSheet().authorize(.init(nonce: "n")) }
      try await eventually { SimulatedDevice.sheetsBegun > before }
      await #expect(throws: DeviceFault.busy) {
        try await AppleSheet().authorize(.init(nonce: "n"))
      }
      open.cancel()
      await #expect(throws: DeviceFault.cancelled) { try await open.value }
    }

    @Test func `a saved password is offered beside Apple's account`() async throws {
      let device = try await Device.unpacked()
      let manager = try manager(device)
      let made = try await manager.client.createUser(
        email: device.email, password: "made-up password")
      try manager.client.signOut()
      SimulatedDevice.current.savedPassword = .init(
        user: device.email, password: "made-up password")
      SimulatedDevice.current.prefersApple = false
      let result = try #require(try await manager.signIn(with: .offered, ifNew: .ask).result)
      #expect(result.snapshot.uid == made.snapshot.uid)
    }

    @Test func `a sign-in in the browser sheet`() async throws {
      let device = try await Device.unpacked()
      let manager = try manager(device)
      let result = try #require(
        try await manager.signIn(with: .browser("oidc.simulator")).result)
      #expect(result.snapshot.providers.map(\.provider) == ["oidc.simulator"])
    }

    @Test func `an account with both is revoked at both and deleted`() async throws {
      let device = try await Device.unpacked()
      let manager = try manager(device)
      let uid = try #require(try await manager.signIn(with: .apple).result).snapshot.uid
      _ = try await manager.link(.google)
      guard case .deleted(let receipt) = try await manager.deleteAccount() else {
        Issue.record("It wasn't deleted.")
        return
      }
      // The server revokes at Apple, after the deletion, if it has exchanged the code by now.
      #expect(Set(receipt.revoked + receipt.revokedByServer) == [.apple, .google])
      #expect(receipt.notRevoked.isEmpty)
      #expect(try await device.account(uid).isNull)
      try await eventually { try await device.appleState() == "revoked" }
      #expect(!GIDSignIn.sharedInstance.hasPreviousSignIn())
    }

    @Test func `the launch check asks Apple and Google, and acts on revocations`() async throws {
      let device = try await Device.unpacked()
      let manager = try manager(device)
      _ = try await manager.signIn(with: .apple)
      #expect(await manager.checkProviders() == .kept)
      SimulatedDevice.current.isOffline = true
      #expect(await manager.checkProviders() == .kept)
      SimulatedDevice.current.isOffline = false
      try await device.withdraw("apple", "com.example.app")
      #expect(await manager.checkProviders() == .gone([.apple]))
      #expect(manager.client.currentUser == nil)
    }

    @Test func `Apple's notification tells the app of a revocation while it is running`()
      async throws
    {
      let device = try await Device.unpacked()
      let manager = try manager(device)
      _ = try await manager.signIn(with: .apple)
      var states = manager.credentialStates.makeAsyncIterator()
      #expect(await states.next()?[.apple]?.state == .authorized)
      try await device.withdraw("apple", "com.example.app")
      NotificationCenter.default.post(
        name: ASAuthorizationAppleIDProvider.credentialRevokedNotification, object: nil)
      #expect(await states.next()?[.apple]?.state == .revoked)
    }

    @Test func `a locked keychain signs no user out`() async throws {
      let device = try await Device.unpacked()
      let uid = try await client(device).signInAnonymously().snapshot.uid
      SimulatedKeychain[device.person].lock = .refusing
      defer { SimulatedKeychain[device.person].lock = .unlocked }
      let second = try client(device)
      #expect(throws: ClientError.self) { try second.load() }
      #expect(second.state == .loading)
      SimulatedKeychain[device.person].lock = .unlocked
      try second.load()
      #expect(second.currentUser?.uid == uid)
    }
  }
}

extension UIApplication {
  /// The contents of the window.
  var root: UIViewController? {
    connectedScenes.lazy.compactMap { $0 as? UIWindowScene }.first?.keyWindow?.rootViewController
  }
}
