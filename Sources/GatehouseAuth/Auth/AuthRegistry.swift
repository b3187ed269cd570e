import GatehouseCore
import Foundation
import GatehouseClient
import GatehouseProtocol

/// The ``Auth`` of each app, until the app is deleted.
final class AuthRegistry: Sendable {
  static let shared = AuthRegistry()

  private let auths = Locked<[String: Auth]>([:])

  func auth(of app: FirebaseApp) -> Auth {
    let (auth, isNew) = auths.withLock { auths in
      if let auth = auths[app.name], auth.app === app { return (auth, false) }
      let auth = Auth(app: app, maker: AppClients(app))
      auths[app.name] = auth
      return (auth, true)
    }
    if isNew { app.onDeletion { [weak auth] in auth.map(self.forget) } }
    return auth
  }

  /// The `Auth` whose client began a sign-in that waits for a second factor.
  func auth(of resolver: SecondFactorResolver) -> Auth? {
    auths.withLock { Array($0.values) }.first { auth in
      auth.state.withLock { $0.client }.map { resolver.belongs(to: $0) } ?? false
    }
  }

  /// Code that holds `auth` can still use it, but `auth(of:)` no longer returns it.
  private func forget(_ auth: Auth) {
    auths.withLock { auths in
      if auths[auth.appName] === auth { auths[auth.appName] = nil }
    }
  }
}
