/// Google's endpoints.
///
/// From <https://accounts.google.com/.well-known/openid-configuration>. They are pinned, not
/// discovered, like the issuers (``GoogleProvider``).
package struct GoogleEndpoints: Sendable {
  package var authorize: OutboundURL
  package var keys: OutboundURL
  package var token: OutboundURL
  package var revoke: OutboundURL
  package var userInfo: OutboundURL
  /// Inspects an access token (<https://developers.google.com/identity/protocols/oauth2>). It isn't
  /// in the discovery document.
  package var tokenInfo: OutboundURL
  /// The keys of Firebase's ID tokens (Firebase, "Verify ID tokens using a third-party JWT library", in
  /// the form of a key set).
  package var firebaseKeys: OutboundURL

  private static let firebaseKeysPath: StaticString =
    "/service_accounts/v1/jwk/securetoken@system.gserviceaccount.com"

  package init() {
    authorize = OutboundURL(secureHost: "accounts.google.com", path: "/o/oauth2/v2/auth")
    keys = OutboundURL(secureHost: "www.googleapis.com", path: "/oauth2/v3/certs")
    token = OutboundURL(secureHost: "oauth2.googleapis.com", path: "/token")
    revoke = OutboundURL(secureHost: "oauth2.googleapis.com", path: "/revoke")
    userInfo = OutboundURL(secureHost: "openidconnect.googleapis.com", path: "/v1/userinfo")
    tokenInfo = OutboundURL(secureHost: "oauth2.googleapis.com", path: "/tokeninfo")
    firebaseKeys = OutboundURL(secureHost: "www.googleapis.com", path: Self.firebaseKeysPath)
  }

  /// The paths under another base, which may end in a slash. Google has four hosts and a stand-in
  /// has one. The path of `userInfo` differs.
  package init?(baseURL: String) {
    guard let authorize = OutboundURL(base: baseURL, path: "/o/oauth2/v2/auth"),
      let keys = OutboundURL(base: baseURL, path: "/oauth2/v3/certs"),
      let token = OutboundURL(base: baseURL, path: "/token"),
      let revoke = OutboundURL(base: baseURL, path: "/revoke"),
      let userInfo = OutboundURL(base: baseURL, path: "/oauth2/v3/userinfo"),
      let tokenInfo = OutboundURL(base: baseURL, path: "/tokeninfo"),
      let firebaseKeys = OutboundURL(base: baseURL, path: "\(Self.firebaseKeysPath)")
    else { return nil }
    self.authorize = authorize
    self.keys = keys
    self.token = token
    self.revoke = revoke
    self.userInfo = userInfo
    self.tokenInfo = tokenInfo
    self.firebaseKeys = firebaseKeys
  }
}
