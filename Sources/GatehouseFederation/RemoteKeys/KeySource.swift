import GatehouseModel

/// Where a provider's keys come from: always from configuration.
///
/// Projects that configure the same source share its cache and its one flight.
struct KeySource: ByteExact {
  enum Origin: Sendable {
    case keys(OutboundURL)
    /// Found through the discovery document of this issuer.
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
