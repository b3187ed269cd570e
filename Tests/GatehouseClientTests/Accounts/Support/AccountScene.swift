import Foundation
import GatehouseClient
import Testing

/// An app's account page, with everything around it controlled by a test.
struct AccountScene: Sendable {
  let journal = Journal()
  let clock = ManualClock(isImpatient: true)
  let store = MemoryStore()
  let server: AccountServer
  let apple: ScriptedApple
  let google: ScriptedGoogle
  let client: AuthClient
  let manager: AccountManager

  static let subjects: [Provider: String] = [
    .apple: "001.alice", .google: "g-alice", .password: "alice@example.com",
  ]

  /// - Parameters:
  ///   - linked: The ways in which alice can sign in.
  ///   - change: Changes the devices; Apple's and Google's are given.
  init(
    _ linked: [Provider] = [], serverIsAheadBy seconds: Double = 0,
    devices change: (Journal, inout AccountDevices) -> Void = { _, _ in }
  ) throws {
    try self.init(linked: linked, ahead: seconds, consentPrompt: nil, devices: change)
  }

  init(_ linked: [Provider], consentPrompt: @escaping ConsentPrompt) throws {
    try self.init(linked: linked, ahead: 0, consentPrompt: consentPrompt) { _, _ in }
  }

  private init(
    linked: [Provider], ahead seconds: Double, consentPrompt: ConsentPrompt?,
    devices change: (Journal, inout AccountDevices) -> Void
  ) throws {
    server = AccountServer(journal, clock: clock, aheadOfDevice: seconds)
    apple = ScriptedApple(journal)
    google = ScriptedGoogle(journal)
    client = try Self.client(server, store, clock)
    var devices = AccountDevices(apple: apple, google: google)
    change(journal, &devices)
    manager = AccountManager(client: client, devices: devices, consentPrompt: consentPrompt)
    let now = server.now
    server.set { state in
      var alice = AccountServer.Account(uid: "alice", authenticatedAt: now)
      alice.providers = linked.map {
        LinkedProvider(provider: $0, uid: Self.subjects[$0] ?? "sub-\($0)")
      }
      if linked.contains(.password) { alice.password = "right" }
      state.accounts = [alice]
    }
  }

  private static func client(
    _ server: AccountServer, _ store: MemoryStore, _ clock: ManualClock
  ) throws -> AuthClient {
    var configuration = try ClientConfiguration(
      serverURL: try #require(URL(string: "https://auth.example.com")), apiKey: "key",
      projectID: "demo")
    configuration.refreshesProactively = false
    return AuthClient(
      configuration: configuration, store: store, transport: server, clock: clock)
  }

  /// The app after a restart on the same device.
  func relaunched() throws -> AccountManager {
    AccountManager(
      client: try Self.client(server, store, clock), devices: manager.devices,
      consentPrompt: manager.consentPrompt)
  }

  /// Alice signs in with `provider`; then the journal is empty.
  @discardableResult
  func signIn(by provider: Provider = .apple) async throws -> SignedInUser {
    let method: SignInMethod =
      switch provider {
      case .apple: .apple
      case .google: .google
      default: .password(email: "alice@example.com", password: "right")
      }
    let result = try #require(try await manager.signIn(with: method).result)
    journal.clear()
    return result.user
  }
}

/// The thrown error, for a `switch`.
func deletionError(_ body: () async throws -> Void) async -> DeletionError? {
  do {
    try await body()
    return nil
  } catch {
    return error as? DeletionError
  }
}
