/// What kind of a token is to be revoked (RFC 7009 §2.1).
public enum RevocableToken: String, Hashable, Sendable {
  case refresh = "refresh_token"
  case access = "access_token"
}
