import GatehouseProtocol

/// Where a request to the token endpoint carries the client secret (OpenID Connect Core §9).
package enum SecretPlace: String, Hashable, Sendable, CaseIterable {
  case header = "client_secret_basic"
  case body = "client_secret_post"
}
