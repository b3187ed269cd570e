/// What a client may learn or do. Each provider knows some: see ``GrantRules/scopes``.
struct Scope: Sendable, Hashable, RawRepresentable {
  let rawValue: String

  static let openid = Scope(rawValue: "openid")
  static let email = Scope(rawValue: "email")
  static let profile = Scope(rawValue: "profile")
  static let offlineAccess = Scope(rawValue: "offline_access")

  /// Those of OpenID Connect Core §5.4 and §11.
  static let standard: [Scope] = [.openid, .email, .profile, .offlineAccess]

  /// All in a list with spaces between.
  static func parse(_ list: String?) -> Set<Scope> {
    Set((list ?? "").split(separator: " ").map { Scope(rawValue: String($0)) })
  }
}
