import GatehouseModel
import GatehouseWire

/// v2's `GET defaultSupportedIdps`: the built-in providers.
struct DefaultSupportedIdps: Endpoint {
  var routes: [Route] {
    [.administrator(.get, "v2/defaultSupportedIdps", "idps.list", answer)]
  }

  func answer(_ call: Call) -> Answer {
    Answer(
      SupportedProvidersResponse(
        providers: IdentityProviders.builtIn.compactMap { kind in
          kind.id.map { .init(id: $0.text, description: kind.displayName) }
        }))
  }
}
