public import GatehouseJSON

/// An error of an OAuth 2.0 token endpoint (RFC 6749 §5.2).
public struct OAuthErrorBody: WireResponse {
  /// `invalid_request`, `invalid_grant`, …
  public var error: String
  /// For the developer: ASCII without `"` and `\`.
  public var description: String

  public init(error: String, description: String) {
    self.error = error
    self.description = description
  }

  public func writeMembers(to writer: inout JSONWriter) {
    writer.member("error", error)
    writer.member("error_description", description)
  }
}
