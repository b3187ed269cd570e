/// GitHub's scopes (GitHub, "Scopes for OAuth apps").
enum GitHubScopes {
  /// The scopes that a scope includes. They aren't stored beside it.
  private static let included: [Scope: Set<Scope>] = [
    .user: [.readUser, .userEmail, .userFollow]
  ]

  /// The supported scopes of a list with spaces or commas, without those that another one includes
  /// ("Normalized scopes").
  static func parse(_ list: String?) -> Set<Scope> {
    let asked = GitHubProvider().knownScopes(list?.replacing(",", with: " "))
    return asked.reduce(into: asked) { kept, scope in
      kept.subtract(included[scope] ?? [])
    }
  }

  static func meaning(of scope: Scope) -> ScopeMeaning {
    switch scope {
    case .userEmail: .email
    case .readUser: .profile
    case .user:
      .other(
        english: "read and change your profile, and see your email addresses",
        german: "das Profil lesen und ändern und die E-Mail-Adressen sehen",
        vietnamese: "đọc và sửa hồ sơ của bạn, xem các địa chỉ email của bạn")
    case .userFollow:
      .other(
        english: "follow and unfollow users for you",
        german: "anderen Konten folgen oder nicht mehr folgen",
        vietnamese: "theo dõi hoặc bỏ theo dõi người khác thay bạn")
    case .readOrganization:
      .other(
        english: "see your organizations", german: "die Organisationen sehen",
        vietnamese: "xem các tổ chức của bạn")
    case .gist:
      .other(
        english: "create gists", german: "Gists anlegen", vietnamese: "tạo gist")
    case .repo:
      .other(
        english: "read and change your repositories",
        german: "die Repositorys lesen und ändern",
        vietnamese: "đọc và sửa các kho mã của bạn")
    default: .identity
    }
  }
}

extension Scope {
  static let user = Scope(rawValue: "user")
  static let readUser = Scope(rawValue: "read:user")
  static let userEmail = Scope(rawValue: "user:email")
  static let userFollow = Scope(rawValue: "user:follow")
  static let readOrganization = Scope(rawValue: "read:org")
  static let repo = Scope(rawValue: "repo")
  static let gist = Scope(rawValue: "gist")
}
