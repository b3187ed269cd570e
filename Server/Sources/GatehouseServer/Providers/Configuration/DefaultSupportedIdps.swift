import GatehouseProtocol

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

/// `defaultSupportedIdps`: the built-in providers.
struct SupportedProvidersResponse: WireResponse {
  var providers: [Provider]

  init(providers: [Provider]) { self.providers = providers }

  struct Provider: Hashable, Sendable {
    var id: String
    var description: String

    init(id: String, description: String) {
      self.id = id
      self.description = description
    }
  }

  func writeMembers(to writer: inout JSONWriter) {
    writer.array("defaultSupportedIdps") { list in
      for provider in providers {
        list.object {
          $0.member("idpId", provider.id)
          $0.member("description", provider.description)
        }
      }
    }
  }
}
