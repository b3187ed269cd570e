import GatehouseFederation
import GatehouseModel
import GatehouseWire

/// v2's `GET defaultSupportedIdps`: which providers a project can have without telling who they are.
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
