import Foundation
import GatehouseClient
import Testing

/// A device with the app: a client of the suite's server, and the person's sheets.
struct ClientDevice {
  let client: AuthClient
  let store: any SessionStore
  let providers: SimulatedProviders
  let server: GatehouseServer

  init(store: any SessionStore = MemoryStore()) throws {
    server = try suiteServer()
    self.store = store
    providers = SimulatedProviders(baseURL: server.simulatorURL)
    var configuration = try ClientConfiguration(
      serverURL: try #require(URL(string: server.baseURL)), apiKey: "any", projectID: "demo")
    configuration.bundleID = SimulatedProviders.bundleID
    client = AuthClient(
      configuration: configuration, store: store, transport: URLSessionTransport())
  }

  /// The same app, started again.
  func relaunched() throws -> ClientDevice { try ClientDevice(store: store) }

  func apple(
    _ person: String, fullName: PersonName? = nil
  ) async throws -> GatehouseClient.Credential {
    let nonce = GatehouseClient.Nonce()
    let sheet = try await providers.apple(person, nonce: nonce.raw)
    return .apple(
      idToken: sheet.credential.idToken, nonce: nonce, fullName: fullName,
      authorizationCode: sheet.authorizationCode)
  }

  func google(_ person: String) async throws -> GatehouseClient.Credential {
    let nonce = GatehouseClient.Nonce()
    let credential = try await providers.google(person, nonce: nonce.raw)
    return .google(idToken: credential.idToken, nonce: nonce)
  }
}
