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

  package init() {
    authorize = OutboundURL(secureHost: "accounts.google.com", path: "/o/oauth2/v2/auth")
    keys = OutboundURL(secureHost: "www.googleapis.com", path: "/oauth2/v3/certs")
    token = OutboundURL(secureHost: "oauth2.googleapis.com", path: "/token")
    revoke = OutboundURL(secureHost: "oauth2.googleapis.com", path: "/revoke")
    userInfo = OutboundURL(secureHost: "openidconnect.googleapis.com", path: "/v1/userinfo")
    tokenInfo = OutboundURL(secureHost: "oauth2.googleapis.com", path: "/tokeninfo")
  }

  /// The paths under another base, which may end in a slash. Google has four hosts and a stand-in
  /// has one. The path of `userInfo` differs.
  package init?(baseURL: String) {
    guard let authorize = OutboundURL(base: baseURL, path: "/o/oauth2/v2/auth"),
      let keys = OutboundURL(base: baseURL, path: "/oauth2/v3/certs"),
      let token = OutboundURL(base: baseURL, path: "/token"),
      let revoke = OutboundURL(base: baseURL, path: "/revoke"),
      let userInfo = OutboundURL(base: baseURL, path: "/oauth2/v3/userinfo"),
      let tokenInfo = OutboundURL(base: baseURL, path: "/tokeninfo")
    else { return nil }
    self.authorize = authorize
    self.keys = keys
    self.token = token
    self.revoke = revoke
    self.userInfo = userInfo
    self.tokenInfo = tokenInfo
  }
}
