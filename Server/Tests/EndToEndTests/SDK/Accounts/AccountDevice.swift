import Foundation
import GatehouseClient
import Testing

/// A user's device with the app, with the providers' sheets and the account manager.
struct AccountDevice: Sendable {
  let server: GatehouseServer
  let person: String
  let store: MemoryStore
  let apple: AppleAtSimulator
  let google: GoogleAtSimulator
  let manager: AccountManager

  /// - Parameters:
  ///   - server: The default is the suite's.
  ///   - person: A person of the simulator; nil creates one.
  init(
    server: GatehouseServer? = nil, person: String? = nil, hidesEmail: Bool = false,
    email: String? = nil, consentPrompt: ConsentPrompt? = nil
  ) async throws {
    let server = try server ?? suiteServer()
    let known: String
    if let person {
      known = person
    } else {
      known = try await server.providers.person(
        email: email ?? Unique.email(), givenName: "Ada")
    }
    try self.init(
      server: server, person: known, hidesEmail: hidesEmail, store: MemoryStore(),
      kept: KeptByGoogle(), consentPrompt: consentPrompt)
  }

  private init(
    server: GatehouseServer, person: String, hidesEmail: Bool, store: MemoryStore,
    kept: KeptByGoogle, consentPrompt: ConsentPrompt?
  ) throws {
    let transport = URLSessionTransport()
    self.server = server
    self.person = person
    self.store = store
    apple = AppleAtSimulator(server.simulatorURL, person: person, hidesEmail: hidesEmail)
    google = GoogleAtSimulator(server.simulatorURL, person: person, kept: kept)
    var configuration = try ClientConfiguration(
      serverURL: try #require(URL(string: server.baseURL)), apiKey: "any", projectID: "demo")
    configuration.bundleID = SimulatedProviders.bundleID
    manager = AccountManager(
      client: AuthClient(configuration: configuration, store: store, transport: transport),
      devices: AccountDevices(apple: apple, passwords: apple, google: google),
      consentPrompt: consentPrompt)
  }

  /// The same device, after the app was terminated and started again.
  func relaunched() throws -> AccountDevice {
    try AccountDevice(
      server: server, person: person, hidesEmail: false, store: store, kept: google.kept,
      consentPrompt: manager.consentPrompt)
  }

  func signIn(with method: SignInMethod = .apple) async throws -> SignedInUser {
    guard let result = try await manager.signIn(with: method).result else { throw NotSignedIn() }
    return result.user
  }

  /// Options for which no sign-in is recent enough.
  static var asIfOld: DeletionOptions {
    var options = DeletionOptions()
    options.recentSignIn = 0
    return options
  }

  /// The person removes the app in the account settings of the provider.
  func withdraw(from provider: String, client: String) async throws {
    let reply = try await HTTP.post(
      "\(server.simulatorURL)/simulator/persons/\(person)/withdraw-consent",
      .members(["provider": provider, "client_id": client]))
    guard reply.status == 200 || reply.status == 204 else { throw Unexpected(reply) }
  }

  struct NotSignedIn: Error {}
}
