import GatehouseProtocol

/// An error of an OAuth 2.0 token endpoint (RFC 6749 §5.2).
struct OAuthErrorBody: WireResponse {
  /// `invalid_request`, `invalid_grant`, …
  var error: String
  /// For the developer: ASCII without `"` and `\`.
  var description: String

  init(error: String, description: String) {
    self.error = error
    self.description = description
  }

  func writeMembers(to writer: inout JSONWriter) {
    writer.member("error", error)
    writer.member("error_description", description)
  }
}
