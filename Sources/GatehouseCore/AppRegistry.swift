internal import GatehouseClient
internal import GatehouseProtocol

/// The apps of the process, by name.
final class AppRegistry: Sendable {
  static let shared = AppRegistry()

  private let apps = Locked<[String: FirebaseApp]>([:])

  var all: [String: FirebaseApp] { apps.withLock { $0 } }

  subscript(name: String) -> FirebaseApp? { apps.withLock { $0[name] } }

  /// - Throws: `ConfigurationFault` if the name is taken.
  func add(_ app: FirebaseApp) throws(ConfigurationFault) -> FirebaseApp {
    let isAdded = apps.withLock { apps in
      guard apps[app.name] == nil else { return false }
      apps[app.name] = app
      return true
    }
    guard isAdded else {
      throw ConfigurationFault(
        app.name == FirebaseApp.defaultName
          ? "The default app is configured already: call configure() once."
          : "The app \(app.name) is configured already.")
    }
    return app
  }

  /// - Returns: The app that had the name.
  func put(_ app: FirebaseApp) -> FirebaseApp? {
    apps.withLock { $0.updateValue(app, forKey: app.name) }
  }

  /// Does nothing if another app has the name in the meantime.
  func remove(_ app: FirebaseApp) {
    apps.withLock { apps in
      if apps[app.name] === app { apps[app.name] = nil }
    }
  }
}
