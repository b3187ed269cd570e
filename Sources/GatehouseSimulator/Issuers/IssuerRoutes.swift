import Hummingbird

/// The providers that tests made: `/oidc/{issuer}/…`, each by the book as `/oidc` is.
struct IssuerRoutes: Sendable {
  let store: SimulatorStore

  func add(to group: RouterGroup<SimulatorContext>) {
    StandardRoutes.add(paths: .oidc, to: group) { context in
      let name = try context.parameters.require("issuer")
      let issuer = try store.withState { state throws(SimulatorError) in
        try state.issuer(named: name)
      }
      return StandardRoutes(store: store, provider: issuer, paths: .oidc)
    }
  }
}
