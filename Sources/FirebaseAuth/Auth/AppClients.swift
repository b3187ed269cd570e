import FirebaseCore
import Foundation
import GatehouseClient

/// The clients of a configured app: its server, the platform's store, URLSession.
struct AppClients: ClientMaking {
  private let name: String
  private let options: OptionValues
  private let services: AppServices

  init(_ app: FirebaseApp) {
    name = app.name
    options = app.options.values
    services = app.services
  }

  func client(emulator: URL?, accessGroup: String?) throws(StoreFault) -> AuthClient {
    let configuration: ClientConfiguration
    do {
      configuration = try self.configuration(emulator: emulator)
    } catch {
      return UnavailableClient.make(saying: error.description)
    }
    let store: any SessionStore =
      if let given = services.store {
        given
      } else {
        try PlatformStore.make(configuration, accessGroup: accessGroup)
      }
    return AuthClient(
      configuration: configuration, store: AppStore(store, app: name),
      transport: services.transport ?? URLSessionTransport(),
      clock: services.clock ?? SystemClock())
  }

  /// An emulator may be plain http on any host: it takes the place of a server without secrets.
  private func configuration(
    emulator: URL?
  ) throws(ConfigurationFault) -> ClientConfiguration {
    guard let emulator else { return try options.clientConfiguration() }
    var options = options
    options.serverURL = URL(string: "http://localhost")
    // Any key is the emulator's.
    if (options.apiKey ?? "").isEmpty { options.apiKey = "emulator" }
    var configuration = try options.clientConfiguration()
    configuration.serverURL = emulator
    configuration.usesEmulator = true
    return configuration
  }
}

/// Where sessions are kept if the app doesn't say.
private enum PlatformStore {
  static func make(
    _ configuration: ClientConfiguration, accessGroup: String?
  ) throws(StoreFault) -> any SessionStore {
    #if canImport(Security)
      return KeychainStore(configuration: configuration, accessGroup: accessGroup)
    #else
      guard accessGroup == nil else {
        throw StoreFault(.unreadable, detail: "There are no keychain access groups here.")
      }
      return try FileStore(
        application: configuration.bundleID ?? ProcessInfo.processInfo.processName)
    #endif
  }
}

/// The keys of one app in a store that several have: sessions of two apps don't meet.
struct AppStore: SessionStore {
  private let store: any SessionStore
  private let prefix: String

  init(_ store: any SessionStore, app: String) {
    self.store = store
    prefix = app == FirebaseApp.defaultName ? "" : "\(app)/"
  }

  func read(_ key: String) throws(StoreFault) -> Data? { try store.read(prefix + key) }
  func write(_ data: Data, for key: String) throws(StoreFault) {
    try store.write(data, for: prefix + key)
  }
  func remove(_ key: String) throws(StoreFault) { try store.remove(prefix + key) }
  func update(
    _ key: String, _ change: (Data?) throws(StoreFault) -> Data?
  ) throws(StoreFault) -> Data? { try store.update(prefix + key, change) }
}

/// A client of an app that wasn't told its server: nobody is signed in, and every call says why.
enum UnavailableClient {
  static func make(saying detail: String) -> AuthClient {
    AuthClient(
      configuration: ClientConfiguration(unchecked: URL(filePath: "/"), apiKey: "none"),
      store: MemoryStore(),
      transport: Refusing(detail: detail))
  }

  private struct Refusing: Transport {
    let detail: String

    func send(_ request: TransportRequest) async throws(TransportFault) -> TransportResponse {
      throw .network(NetworkFault(.cannotConnect, detail: detail))
    }
  }
}
