public import GatehouseClient
public import GatehouseCore

extension AuthClient {
  /// A client of `server`, with its clock.
  ///
  /// - Parameter store: Where the session is kept. Clients with the same store are one device.
  public convenience init(testing server: AuthTestServer, store: any SessionStore = MemoryStore()) {
    var configuration = ClientConfiguration(
      unchecked: server.url, apiKey: AuthTestServer.apiKey, projectID: "demo")
    configuration.bundleID = "com.example.app"
    self.init(
      configuration: configuration, store: store, transport: server, clock: server.clock)
  }
}

extension FirebaseApp {
  /// Configures an app for `server`: `Auth.auth()` then signs in there. If an app with this name is configured
  /// already, it is deleted first, so that each test begins with nobody signed in.
  ///
  /// - Parameters:
  ///   - name: Nil is the default app. Tests that run at the same time need apps with different names, and
  ///     use `Auth.auth(app:)`.
  ///   - store: Where the session is kept. Apps with the same store are one device.
  ///   - listensForChanges: Whether the app is told at once of what other devices and administrators do. If
  ///     not, the next refresh finds out that the session has ended.
  @discardableResult
  public static func configure(
    testing server: AuthTestServer, name: String? = nil, store: any SessionStore = MemoryStore(),
    listensForChanges: Bool = true
  ) -> FirebaseApp {
    var values = OptionValues()
    values.googleAppID = "1:1:ios:test"
    values.gcmSenderID = "1"
    values.apiKey = AuthTestServer.apiKey
    values.projectID = "demo"
    values.bundleID = "com.example.app"
    values.serverURL = server.url
    values.listensForChanges = listensForChanges
    let services = AppServices(store: store, transport: server, clock: server.clock)
    return replace(name: name ?? defaultName, values: values, services: services)
  }
}
