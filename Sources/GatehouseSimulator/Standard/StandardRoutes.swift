import Hummingbird

/// A provider by the book (RFC 6749, OpenID Connect Core and Discovery): Google's and the generic
/// one. Where Google deviates is told in `Google/`.
struct StandardRoutes: Sendable {
  let store: SimulatorStore
  let provider: Provider
  let paths: StandardPaths

  func add(to group: RouterGroup<SimulatorContext>) {
    group.get(".well-known/openid-configuration") { _, _ in try discovery() }
    group.get(RouterPath(paths.authorize)) { request, _ in try authorize(request) }
    sheets.add(to: group)
    group.post(RouterPath(paths.token)) { request, _ in try await token(request) }
    group.get(RouterPath(paths.userInfo)) { request, _ in try userInfo(request) }
    group.post(RouterPath(paths.userInfo)) { request, _ in try userInfo(request) }
    group.get(RouterPath(paths.keys)) { _, _ in
      try Response.cacheable(try store.withState { try $0.keySet(of: provider) })
    }
    for path in paths.revoke {
      group.post(RouterPath(path)) { request, _ in try await revoke(request) }
    }
    group.post("native-sign-in") { request, _ in try await nativeSignIn(request) }
  }
}

/// Where a provider's endpoints are, below its folder and without a slash in front.
struct StandardPaths: Sendable {
  let authorize: String
  let token: String
  let userInfo: String
  let keys: String
  /// The first is the one that discovery names.
  let revoke: [String]
}
