import GatehouseJSON
import GatehouseModel
import GatehouseTokens

/// Where Google deviates from OpenID Connect.
///
/// <https://developers.google.com/identity/gsi/web/guides/verify-google-id-token>
enum GoogleProvider {
  /// "The value of iss in the ID token is equal to accounts.google.com or
  /// https://accounts.google.com."
  static let issuers = ["https://accounts.google.com", "accounts.google.com"]

  static let algorithms: Set<SignatureAlgorithm> = [.rs256]

  /// GoogleSignIn for iOS puts a nonce into every ID token that the app can neither choose nor read,
  /// and Firebase's `GoogleAuthProvider` has no parameter for one
  /// (<https://github.com/google/GoogleSignIn-iOS/issues/135>, `/issues/507`). Newer versions and
  /// Google Identity Services take an app's nonce and pass it on as it is
  /// (<https://developers.google.com/identity/gsi/web/reference/js-reference#nonce>). Where a nonce is
  /// required, it is the request's.
  static func nonceRule(_ configuration: ProviderConfiguration) -> NonceRule {
    NonceRule(
      isRequired: configuration.requiresNonce, acceptsOwnOfSDK: true, acceptsUnhashed: true)
  }

  static func identity(
    _ claims: StandardClaims, subject: Subject, _ configuration: ProviderConfiguration
  ) -> ExternalIdentity {
    let email = EmailTrustRule(configuration).email(
      claims, isAuthoritative: isAuthoritative(claims))
    return ExternalIdentity(
      provider: configuration.id, subject: subject, email: email, profile: claims.profile,
      rawUserInfo: rawUserInfo(subject, claims))
  }

  /// "Google is authoritative for: email addresses with a @gmail.com suffix; email_verified is true
  /// and hd is set" (a Workspace account). For others "email_verified" tells of the past: the
  /// address may have another owner today.
  private static func isAuthoritative(_ claims: StandardClaims) -> Bool {
    guard let email = claims.email else { return false }
    if email.domain.hasSameBytes(as: "gmail.com") { return true }
    return claims.json["hd"]?.string.map { !$0.isEmpty } ?? false
  }

  /// The profile under the names of Google's older userinfo, which clients of Firebase read.
  private static func rawUserInfo(_ subject: Subject, _ claims: StandardClaims) -> String {
    var members: [JSONObject.Member] = [
      .init(name: "id", value: .string(subject.text))
    ]
    for name in ["name", "given_name", "family_name", "picture", "locale", "hd", "email"] {
      if let value = claims.json[name]?.string {
        members.append(.init(name: name, value: .string(value)))
      }
    }
    members.append(.init(name: "verified_email", value: .bool(claims.isEmailVerified)))
    members.append(
      .init(
        name: "granted_scopes",
        value: .string(
          "openid https://www.googleapis.com/auth/userinfo.email "
            + "https://www.googleapis.com/auth/userinfo.profile")))
    return JSONValue.object(JSONObject(members)).text()
  }
}
