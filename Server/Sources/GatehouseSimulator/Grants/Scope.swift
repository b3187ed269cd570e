/// A scope: what a client may read or do. Each provider supports some: see ``GrantRules/scopes``.
struct Scope: Sendable, Hashable, RawRepresentable {
  let rawValue: String

  static let openid = Scope(rawValue: "openid")
  static let email = Scope(rawValue: "email")
  static let profile = Scope(rawValue: "profile")
  static let offlineAccess = Scope(rawValue: "offline_access")

  /// The scopes of OpenID Connect Core §5.4 and §11.
  static let standard: [Scope] = [.openid, .email, .profile, .offlineAccess]

  /// All scopes of a space-separated list.
  static func parse(_ list: String?) -> Set<Scope> {
    Set((list ?? "").split(separator: " ").map { Scope(rawValue: String($0)) })
  }
}
