package import GatehouseTokens

/// Why a provider's keys could not be fetched, or none of them can be used.
package enum RemoteKeyFailure: Error, Hashable, Sendable, CustomStringConvertible {
  package enum Document: String, Hashable, Sendable {
    case discovery = "discovery document"
    case keys = "key set"
  }

  case outbound(OutboundError)
  /// Another status than 200. Redirects are not followed, so they are failures too.
  case status(Int, Document)
  case malformed(Document)
  /// The discovery document is of another issuer.
  case otherIssuer(received: String, expected: String)
  /// A member of the discovery document isn't an allowed URL.
  case endpoint(String)
  /// The configured issuer isn't an allowed URL.
  case issuerURL
  /// The configured URL of the discovery document isn't allowed.
  case discoveryURL
  /// The key set has `count` keys, and none of them can verify a signature. `refused` are those of a
  /// supported kind.
  case noUsableKey(count: Int, refused: [KeySet.RefusedKey])

  package var description: String {
    switch self {
    case .outbound(let error): error.description
    case .status(let status, let document):
      "the \(document.rawValue) came with the status \(status)"
        + ((300..<400).contains(status) ? ", and redirects are not followed" : "")
    case .malformed(let document): "the \(document.rawValue) cannot be read"
    case .otherIssuer(let received, let expected):
      "the discovery document is of the issuer \(received), not \(expected)"
    case .endpoint(let name): "\(name) in the discovery document is not an https URL"
    case .issuerURL: "the issuer is not an https URL"
    case .discoveryURL: "the URL of the discovery document is not an https URL"
    case .noUsableKey(0, _):
      "the provider publishes no keys, so no ID token that an app or a browser brings can be verified"
    case .noUsableKey(_, let refused) where refused.isEmpty:
      "the provider publishes no key of a supported kind and algorithm"
    case .noUsableKey(_, let refused):
      "the provider publishes no key that can be used: "
        + refused.prefix(3).map(\.description).joined(separator: "; ")
    }
  }
}
