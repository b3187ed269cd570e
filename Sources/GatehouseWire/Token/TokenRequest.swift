/// Secure Token's `token`: `grant_type=refresh_token` as a form, or the same as JSON.
public struct TokenRequest: WireRequest {
  public var grantType: GrantType?
  public var refreshToken: String?

  public init(_ fields: WireFields) throws(WireError) {
    grantType = try fields.nonEmptyString("grantType").map(GrantType.init(rawValue:))
    refreshToken = try fields.nonEmptyString("refreshToken")
  }

  public init(form: FormFields) {
    func value(_ names: String...) -> String? {
      names.lazy.compactMap { form[$0] }.first { !$0.isEmpty }
    }
    grantType = value("grant_type", "grantType").map(GrantType.init(rawValue:))
    refreshToken = value("refresh_token", "refreshToken")
  }
}

/// An OAuth 2.0 grant type (RFC 6749 §4); the ones that aren't known here survive as they came.
public struct GrantType: RawRepresentable, Hashable, Sendable {
  public let rawValue: String

  public init(rawValue: String) { self.rawValue = rawValue }

  public static let refreshToken = GrantType(rawValue: "refresh_token")
}
