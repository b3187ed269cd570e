/// Where a client secret stands in a request to the token endpoint (OpenID Connect Core §9).
public enum SecretPlace: String, Hashable, Sendable, CaseIterable {
  case header = "client_secret_basic"
  case body = "client_secret_post"
}
