/// Secure Token's `token`, as a form or as JSON: `grant_type=refresh_token`, or a service account's
/// assertion.
public struct TokenRequest: WireMessage {
  public var grantType: GrantType?
  public var refreshToken: String?
  public var assertion: String?

  /// Requests the next tokens of a session.
  public init(refreshToken: String) {
    grantType = .refreshToken
    self.refreshToken = refreshToken
  }

  public init(_ fields: WireFields) throws(WireError) {
    grantType = try fields.nonEmptyString("grantType").map(GrantType.init(rawValue:))
    refreshToken = try fields.nonEmptyString("refreshToken")
    assertion = try fields.nonEmptyString("assertion")
  }

  public func writeMembers(to writer: inout JSONWriter) {
    writer.member("grantType", ifPresent: grantType?.rawValue)
    writer.member("refreshToken", ifPresent: refreshToken)
    writer.member("assertion", ifPresent: assertion)
  }

  public init(form: FormFields) {
    func value(_ names: String...) -> String? {
      names.lazy.compactMap { form[$0] }.first { !$0.isEmpty }
    }
    grantType = value("grant_type", "grantType").map(GrantType.init(rawValue:))
    refreshToken = value("refresh_token", "refreshToken")
    assertion = value("assertion")
  }
}

/// An OAuth 2.0 grant type (RFC 6749 §4); unknown ones are kept unchanged.
public struct GrantType: RawRepresentable, Hashable, Sendable {
  public let rawValue: String

  public init(rawValue: String) { self.rawValue = rawValue }

  public static let refreshToken = GrantType(rawValue: "refresh_token")
  /// RFC 7523 §2.1.
  public static let jwtBearer = GrantType(
    rawValue: "urn:ietf:params:oauth:grant-type:jwt-bearer")
}
