import GatehouseProtocol

/// The kind of token to revoke: `token_type_hint` (RFC 7009 §2.1).
package enum RevocableToken: String, Hashable, Sendable {
  case refresh = "refresh_token"
  case access = "access_token"
}
