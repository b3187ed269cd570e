import GatehouseModel

/// The source of a provider's keys. It is configured or pinned, and never comes from a token.
///
/// Projects that use the same source share its cached keys and its request in flight.
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
