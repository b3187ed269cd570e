public import GatehouseClient
public import GatehouseCore
import GatehouseProtocol

extension AuthClient {
  /// A client of `server`, with its clock. It doesn't refresh tokens ahead of time.
  ///
  /// - Parameters:
  ///   - store: Where the session is kept. Clients with the same store are one device.
  ///   - uid: The user who is signed in already. Nobody is if there is no such account.
  public convenience init(
    testing server: AuthTestServer, store: any SessionStore = MemoryStore(),
    signedInAs uid: String? = nil
  ) {
    var configuration = ClientConfiguration(
      unchecked: server.url, apiKey: AuthTestServer.apiKey, projectID: "demo")
    configuration.bundleID = "com.example.app"
    server.signIn(uid, in: store, configuration)
    self.init(
      configuration: configuration, store: store, transport: server, clock: server.clock)
  }
}

extension FirebaseApp {
  /// Configures an app for `server`: `Auth.auth()` then signs in there. If an app with this name is configured
  /// already, it is deleted first.
  ///
  /// - Parameters:
  ///   - name: Nil is the default app. Tests that run at the same time need apps with different names, and
  ///     use `Auth.auth(app:)`.
  ///   - store: Where the session is kept. Apps with the same name and store are one device.
  ///   - uid: The user who is signed in already. Nobody is if there is no such account.
  ///   - listensForChanges: Whether the app is told at once of what other devices and administrators do. If
  ///     not, the next refresh finds out that the session has ended.
  @discardableResult
  public static func configure(
    testing server: AuthTestServer, name: String? = nil, store: any SessionStore = MemoryStore(),
    signedInAs uid: String? = nil, listensForChanges: Bool = true
  ) -> FirebaseApp {
    var values = OptionValues()
    values.googleAppID = "1:1:ios:test"
    values.gcmSenderID = "1"
    values.apiKey = AuthTestServer.apiKey
    values.projectID = "demo"
    values.bundleID = "com.example.app"
    values.serverURL = server.url
    values.listensForChanges = listensForChanges
    let name = name ?? defaultName
    if var configuration = try? values.clientConfiguration() {
      configuration.appName = name
      server.signIn(uid, in: store, configuration)
    }
    let services = AppServices(store: store, transport: server, clock: server.clock)
    return replace(name: name, values: values, services: services)
  }
}

extension AuthTestServer {
  fileprivate func signIn(
    _ uid: String?, in store: any SessionStore, _ configuration: ClientConfiguration
  ) {
    let session = change { state -> (tokens: SessionTokens, user: UserInfo)? in
      guard let user = uid.flatMap({ state.user($0) }) else { return nil }
      let provider: Provider =
        if let identity = user.identities.first {
          identity.provider
        } else if user.isCustom {
          .custom
        } else {
          user.isAnonymous ? .anonymous : .password
        }
      return (state.begin(user, by: provider), user.info)
    }
    if let session { try? configuration.store(session.tokens, of: session.user, in: store) }
  }
}
