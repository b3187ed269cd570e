import Hummingbird

/// The providers that tests created: `/oidc/{issuer}/…`, with the same endpoints as `/oidc`.
struct IssuerRoutes: Sendable {
  let store: SimulatorStore
  let kind: OpenIDConnectProvider

  func add(to group: RouterGroup<SimulatorContext>) {
    OpenIDEndpoints.add(kind.paths, to: group) { context in
      let name = try context.parameters.require("issuer")
      let issuer = try store.withState { state throws(SimulatorError) in
        try state.issuer(named: name)
      }
      return OpenIDEndpoints(store: store, provider: issuer, kind: kind)
    }
  }
}
