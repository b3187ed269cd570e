import GatehouseModel

/// The source of a provider's keys. It always comes from configuration.
///
/// Projects that configure the same source share its cache and its one request in flight.
struct KeySource: ByteExact {
  enum Origin: Sendable {
    case keys(OutboundURL)
    /// The key set that the discovery document of this issuer names.
    case discovery(issuer: String)
  }

  let text: String
  let origin: Origin

  init(keys: OutboundURL) {
    text = "keys " + keys.text
    origin = .keys(keys)
  }

  init(issuer: String) {
    text = "issuer " + issuer
    origin = .discovery(issuer: issuer)
  }
}
