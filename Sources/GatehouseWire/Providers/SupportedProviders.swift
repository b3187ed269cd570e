public import GatehouseJSON

/// `defaultSupportedIdps`: the built-in providers.
public struct SupportedProvidersResponse: WireResponse {
  public var providers: [Provider]

  public init(providers: [Provider]) { self.providers = providers }

  public struct Provider: Hashable, Sendable {
    public var id: String
    public var description: String

    public init(id: String, description: String) {
      self.id = id
      self.description = description
    }
  }

  public func writeMembers(to writer: inout JSONWriter) {
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
