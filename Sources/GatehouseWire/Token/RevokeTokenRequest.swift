/// v2's `accounts:revokeToken`: asks for a provider's token to be revoked at the provider.
public struct RevokeTokenRequest: WireRequest {
  public var providerID: String?
  public var kind: Kind?
  public var token: String?
  public var idToken: String?
  public var redirectURI: String?
  public var tenantID: String?

  public enum Kind: Hashable, Sendable {
    case refreshToken, accessToken, code
  }

  public init(_ fields: WireFields) throws(WireError) {
    providerID = try fields.nonEmptyString("providerId")
    kind = try fields.enumerator("tokenType").flatMap(Self.kind)
    token = try fields.nonEmptyString("token")
    idToken = try fields.nonEmptyString("idToken")
    redirectURI = try fields.nonEmptyString("redirectUri")
    tenantID = try fields.nonEmptyString("tenantId")
  }

  private static func kind(_ enumerator: WireEnumerator) -> Kind? {
    if enumerator.names("REFRESH_TOKEN", 1) { return .refreshToken }
    if enumerator.names("ACCESS_TOKEN", 2) { return .accessToken }
    return enumerator.names("CODE", 3) ? .code : nil
  }
}
