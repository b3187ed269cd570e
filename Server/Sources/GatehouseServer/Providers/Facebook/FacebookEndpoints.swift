import GatehouseProtocol

/// Facebook's endpoints: the Graph API, the login dialog, and the keys of Limited Login.
///
/// From <https://developers.facebook.com/docs/graph-api/reference/debug_token>,
/// <https://developers.facebook.com/docs/facebook-login/guides/advanced/manual-flow> and
/// <https://developers.facebook.com/docs/facebook-login/limited-login/token>. They are pinned, like
/// the issuers (``FacebookProvider``).
package struct FacebookEndpoints: Sendable {
  /// The login dialog.
  package var authorize: OutboundURL
  package var keys: OutboundURL
  /// `debug_token`: information about an access token.
  package var inspection: OutboundURL
  package var profile: OutboundURL
  package var permissions: OutboundURL
  package var token: OutboundURL
  /// The base of `/<id>/picture`, which browsers request and this server doesn't, and of
  /// `/<id>/permissions`.
  package var pictures: String

  package init() {
    authorize = OutboundURL(secureHost: "www.facebook.com", path: "/dialog/oauth")
    keys = OutboundURL(
      secureHost: "limited.facebook.com", path: "/.well-known/oauth/openid/jwks/")
    inspection = OutboundURL(secureHost: "graph.facebook.com", path: "/debug_token")
    profile = OutboundURL(secureHost: "graph.facebook.com", path: "/me")
    permissions = OutboundURL(secureHost: "graph.facebook.com", path: "/me/permissions")
    token = OutboundURL(secureHost: "graph.facebook.com", path: "/oauth/access_token")
    pictures = "https://graph.facebook.com"
  }

  /// The permissions that a user granted. Nil if the id isn't only digits: no other text is put
  /// into a path.
  func permissions(of user: Subject) -> OutboundURL? {
    guard user.text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    return OutboundURL(base: pictures, path: "/\(user.text)/permissions")
  }

  /// The same paths under another base, which may end in a slash; the Graph API is under `/graph`.
  package init?(baseURL: String) {
    guard let authorize = OutboundURL(base: baseURL, path: "/dialog/oauth"),
      let keys = OutboundURL(base: baseURL, path: "/.well-known/oauth/openid/jwks/"),
      let inspection = OutboundURL(base: baseURL, path: "/graph/debug_token"),
      let profile = OutboundURL(base: baseURL, path: "/graph/me"),
      let permissions = OutboundURL(base: baseURL, path: "/graph/me/permissions"),
      let token = OutboundURL(base: baseURL, path: "/graph/oauth/access_token"),
      let graph = OutboundURL(base: baseURL, path: "/graph")
    else { return nil }
    self.authorize = authorize
    self.keys = keys
    self.inspection = inspection
    self.profile = profile
    self.permissions = permissions
    self.token = token
    pictures = graph.text
  }
}
