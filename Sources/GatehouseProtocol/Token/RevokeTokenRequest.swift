/// v2's `accounts:revokeToken`: the server revokes a provider's token at the provider.
public struct RevokeTokenRequest: WireMessage {
  public var providerID: String?
  public var kind: Kind?
  public var token: String?
  public var idToken: String?
  public var redirectURI: String?
  public var tenantID: String?

  public enum Kind: Hashable, Sendable, CaseIterable {
    case refreshToken, accessToken, code

    fileprivate var wire: (name: String, number: Int64) {
      switch self {
      case .refreshToken: ("REFRESH_TOKEN", 1)
      case .accessToken: ("ACCESS_TOKEN", 2)
      case .code: ("CODE", 3)
      }
    }
  }

  public init(providerID: String, kind: Kind, token: String, idToken: String) {
    self.providerID = providerID
    self.kind = kind
    self.token = token
    self.idToken = idToken
  }

  public init(_ fields: WireFields) throws(WireError) {
    providerID = try fields.nonEmptyString("providerId")
    kind = try fields.enumerator("tokenType").flatMap { enumerator in
      Kind.allCases.first { enumerator.names($0.wire.name, $0.wire.number) }
    }
    token = try fields.nonEmptyString("token")
    idToken = try fields.nonEmptyString("idToken")
    redirectURI = try fields.nonEmptyString("redirectUri")
    tenantID = try fields.nonEmptyString("tenantId")
  }

  public func writeMembers(to writer: inout JSONWriter) {
    writer.member("providerId", ifPresent: providerID)
    writer.member("tokenType", ifPresent: kind?.wire.name)
    writer.member("token", ifPresent: token)
    writer.member("idToken", ifPresent: idToken)
    writer.member("redirectUri", ifPresent: redirectURI)
    writer.member("tenantId", ifPresent: tenantID)
  }
}
