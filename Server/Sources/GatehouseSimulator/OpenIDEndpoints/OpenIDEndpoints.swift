import HTTPTypes
import Hummingbird

/// The endpoints of a provider as the standards define them (RFC 6749, OpenID Connect Core and
/// Discovery). ``OpenIDKind`` defines the deviations of a kind of provider.
struct OpenIDEndpoints: Sendable {
  let store: SimulatorStore
  let provider: Provider
  let kind: any OpenIDKind

  var paths: OpenIDPaths { kind.paths }

  func add(to group: RouterGroup<SimulatorContext>) {
    Self.add(paths, to: group) { _ in self }
  }

  /// - Parameter routes: Returns the endpoints of the provider that a request addresses.
  static func add(
    _ paths: OpenIDPaths, to group: RouterGroup<SimulatorContext>,
    _ routes: @escaping @Sendable (SimulatorContext) throws -> OpenIDEndpoints
  ) {
    group.get(".well-known/openid-configuration") { _, context in
      try routes(context).discovery()
    }
    group.get(RouterPath(paths.authorize)) { request, context in
      try await routes(context).authorize(request)
    }
    group.post(RouterPath(paths.authorize)) { request, context in
      try await routes(context).authorize(request)
    }
    group.get("sheet") { request, context in try routes(context).dialogs.show(request) }
    group.post("sheet") { request, context in try await routes(context).dialogs.take(request) }
    group.post(RouterPath(paths.token)) { request, context in
      try await routes(context).token(request)
    }
    group.get(RouterPath(paths.userInfo)) { request, context in
      try await routes(context).userInfo(request)
    }
    group.post(RouterPath(paths.userInfo)) { request, context in
      try await routes(context).userInfo(request)
    }
    group.get(RouterPath(paths.keys)) { _, context in try routes(context).keySet() }
    for path in paths.revoke {
      group.post(RouterPath(path)) { request, context in
        try await routes(context).revoke(request)
      }
    }
    group.post("native-sign-in") { request, context in
      try await routes(context).nativeSignIn(request)
    }
  }

  private func keySet() throws -> Response {
    try Response.cacheable(try store.withState { try $0.keySet(of: provider) })
  }
}

/// The paths of a provider's endpoints, below its folder and without a leading slash.
struct OpenIDPaths: Sendable {
  let authorize: String
  let token: String
  let userInfo: String
  let keys: String
  /// The discovery document contains the first one.
  let revoke: [String]

  /// The descriptions of the endpoints, for the index.
  ///
  /// - Parameters:
  ///   - folder: The folder of the endpoints' paths.
  ///   - owner: The provider, in a sentence.
  func endpoints(in folder: String, of owner: String) -> [Endpoint] {
    [
      Endpoint("POST", "/\(folder)/native-sign-in", "a sign-in without a browser at \(owner)"),
      Endpoint(
        "GET", "/\(folder)/.well-known/openid-configuration",
        "the discovery document of \(owner)"),
      Endpoint("GET", "/\(folder)/\(authorize)", "the web flow of \(owner)"),
      Endpoint("POST", "/\(folder)/\(token)", "the token endpoint of \(owner)"),
      Endpoint("GET", "/\(folder)/\(userInfo)", "who signed in at \(owner)"),
      Endpoint("GET", "/\(folder)/\(keys)", "the key set of \(owner)"),
    ]
      + revoke.map { Endpoint("POST", "/\(folder)/\($0)", "the revocation endpoint of \(owner)") }
  }
}
