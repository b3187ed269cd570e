/// Apple's endpoints.
///
/// From <https://appleid.apple.com/.well-known/openid-configuration>, and for migration from the
/// page in ``AppleMigration``. They are pinned, not discovered, like the issuers
/// (``AppleProvider``).
package struct AppleEndpoints: Sendable {
  package var authorize: OutboundURL
  package var keys: OutboundURL
  package var token: OutboundURL
  package var revoke: OutboundURL
  package var userMigrationInfo: OutboundURL

  package init() {
    authorize = OutboundURL(secureHost: "appleid.apple.com", path: "/auth/authorize")
    keys = OutboundURL(secureHost: "appleid.apple.com", path: "/auth/keys")
    token = OutboundURL(secureHost: "appleid.apple.com", path: "/auth/token")
    revoke = OutboundURL(secureHost: "appleid.apple.com", path: "/auth/revoke")
    userMigrationInfo = OutboundURL(
      secureHost: "appleid.apple.com", path: "/auth/usermigrationinfo")
  }

  /// The same paths under another base, which may end in a slash.
  package init?(baseURL: String) {
    guard let authorize = OutboundURL(base: baseURL, path: "/auth/authorize"),
      let keys = OutboundURL(base: baseURL, path: "/auth/keys"),
      let token = OutboundURL(base: baseURL, path: "/auth/token"),
      let revoke = OutboundURL(base: baseURL, path: "/auth/revoke"),
      let userMigrationInfo = OutboundURL(base: baseURL, path: "/auth/usermigrationinfo")
    else { return nil }
    self.authorize = authorize
    self.keys = keys
    self.token = token
    self.revoke = revoke
    self.userMigrationInfo = userMigrationInfo
  }
}
