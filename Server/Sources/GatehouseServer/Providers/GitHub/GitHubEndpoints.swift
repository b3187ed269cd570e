/// GitHub's endpoints.
///
/// From <https://docs.github.com/en/apps/oauth-apps/building-oauth-apps/authorizing-oauth-apps> and
/// <https://docs.github.com/en/rest/apps/oauth-applications>. They are pinned.
struct GitHubEndpoints: Sendable {
  let authorize: OutboundURL
  let token: OutboundURL
  let user: OutboundURL
  let emails: OutboundURL
  private let api: String

  init() {
    authorize = OutboundURL(secureHost: "github.com", path: "/login/oauth/authorize")
    token = OutboundURL(secureHost: "github.com", path: "/login/oauth/access_token")
    user = OutboundURL(secureHost: "api.github.com", path: "/user")
    emails = OutboundURL(secureHost: "api.github.com", path: "/user/emails")
    api = "https://api.github.com"
  }

  /// The same paths under another base, which may end in a slash. Those of the REST API are under
  /// `/api`.
  init?(baseURL: String) {
    guard let authorize = OutboundURL(base: baseURL, path: "/login/oauth/authorize"),
      let token = OutboundURL(base: baseURL, path: "/login/oauth/access_token"),
      let user = OutboundURL(base: baseURL, path: "/api/user"),
      let emails = OutboundURL(base: baseURL, path: "/api/user/emails"),
      let api = OutboundURL(base: baseURL, path: "/api")
    else { return nil }
    self.authorize = authorize
    self.token = token
    self.user = user
    self.emails = emails
    self.api = api.text
  }

  /// Inspects an access token with a POST; a DELETE ends it.
  func token(ofClient clientID: String) -> OutboundURL? { application(clientID, "token") }

  /// The user's grant for the app; a DELETE ends all of its tokens.
  func grant(ofClient clientID: String) -> OutboundURL? { application(clientID, "grant") }

  private func application(_ clientID: String, _ name: String) -> OutboundURL? {
    OutboundURL("\(api)/applications/\(clientID)/\(name)")
  }
}
