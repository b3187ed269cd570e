import GatehouseCore
import Foundation
import GatehouseClient

/// Creates the clients of a configured app. They use the app's server, the platform's store and
/// `URLSession`, unless the app's services replace them.
struct AppClients: ClientMaking {
  private let name: String
  private let options: OptionValues
  private let services: AppServices

  init(_ app: FirebaseApp) {
    name = app.name
    options = app.options.values
    services = app.services
  }

  func client(emulator: Emulator?, accessGroup: String?) throws(StoreFault) -> AuthClient {
    var configuration: ClientConfiguration
    do {
      configuration = try self.configuration(hasEmulator: emulator != nil)
    } catch {
      return UnavailableClient.make(saying: error.description)
    }
    configuration.appName = name
    let store: any SessionStore =
      if let given = services.store, accessGroup == nil {
        given
      } else {
        try PlatformStore.make(
          configuration, accessGroup: accessGroup, reinstallation: options.reinstallation)
      }
    let client = AuthClient(
      configuration: configuration, store: store,
      transport: services.transport ?? URLSessionTransport(),
      clock: services.clock ?? SystemClock(), notifications: nil)
    guard let emulator else { return client }
    do throws(ClientError) {
      try client.connect(toEmulatorHost: emulator.host, port: emulator.port)
    } catch {
      return UnavailableClient.make(saying: "This emulator's address is not valid: \(emulator).")
    }
    return client
  }

  // In the user defaults, as Firebase's SDK: an app that called `useUserAccessGroup` once needn't call it again.
  private var groupStore: DefaultsStore { DefaultsStore() }
  private var groupKey: String { "group of \(name) \(options.projectID ?? options.apiKey ?? "")" }

  func rememberedGroup() -> String? {
    #if canImport(Security)
      return ((try? groupStore.read(groupKey)) ?? nil).map { String(decoding: $0, as: UTF8.self) }
    #else
      return nil
    #endif
  }

  func remember(group: String?) {
    #if canImport(Security)
      if let group {
        try? groupStore.write(Data(group.utf8), for: groupKey)
      } else {
        try? groupStore.remove(groupKey)
      }
    #endif
  }

  /// With an emulator, the options need neither a server URL nor an API key.
  private func configuration(
    hasEmulator: Bool
  ) throws(ConfigurationFault) -> ClientConfiguration {
    guard hasEmulator else { return try options.clientConfiguration() }
    var options = options
    if options.serverURL == nil { options.serverURL = URL(string: "http://localhost") }
    if (options.apiKey ?? "").isEmpty { options.apiKey = "emulator" }
    return try options.clientConfiguration()
  }
}

/// The store for sessions if the app doesn't set one.
private enum PlatformStore {
  static func make(
    _ configuration: ClientConfiguration, accessGroup: String?, reinstallation: Reinstallation
  ) throws(StoreFault) -> any SessionStore {
    #if canImport(Security)
      return KeychainStore(
        configuration: configuration, accessGroup: accessGroup, reinstallation: reinstallation)
    #else
      guard accessGroup == nil else {
        throw StoreFault(.unreadable, detail: "This platform has no keychain access groups.")
      }
      return try FileStore(
        application: configuration.bundleID ?? ProcessInfo.processInfo.processName)
    #endif
  }
}

/// The client of an app whose server is not configured. No user is signed in, and every call fails
/// with the reason.
enum UnavailableClient {
  static func make(saying detail: String) -> AuthClient {
    AuthClient(
      configuration: ClientConfiguration(unchecked: URL(fileURLWithPath: "/"), apiKey: "none"),
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
