import Hummingbird

/// Sign in with Apple: the REST API under `/auth`, and the results of a device's frameworks.
struct AppleRoutes: Sendable {
  let store: SimulatorStore

  func add(to group: RouterGroup<SimulatorContext>) {
    group.get("auth/authorize") { request, _ in try authorize(request) }
    dialogs.add(to: group)
    group.post("auth/token") { request, _ in try await token(request) }
    group.get("auth/keys") { _, _ in
      try Response.cacheable(try store.withState { try $0.keySet(of: .apple) })
    }
    group.post("auth/revoke") { request, _ in try await revoke(request) }
    group.post("auth/usermigrationinfo") { request, _ in try await userMigrationInfo(request) }
    group.post("native-sign-in") { request, _ in try await nativeSignIn(request) }
    group.get("credential-state") { request, _ in try credentialState(request) }
  }
}
