import HTTPTypes

extension GitHubAPI {
  /// `GET /user` (GitHub, "Get the authenticated user"). `email` is the public address, or null.
  func user(_ caller: Caller) -> (value: JSONValue, accepted: [Scope]) {
    let user = caller.user
    var members = simple(user)
    members.merge([
      "name": .optional(user.name), "company": .null, "blog": "", "location": .null,
      "email": .optional(user.publicEmail), "hireable": .null, "bio": .null,
      "twitter_username": .null, "notification_email": .optional(user.publicEmail),
      "public_repos": 0, "public_gists": 0, "followers": 0, "following": 0,
      "created_at": "2014-03-01T09:00:00Z", "updated_at": "2024-11-05T16:30:00Z",
    ]) { _, new in new }
    if !caller.grant.scopes.isDisjoint(with: [.user, .readUser]) {
      members.merge([
        "private_gists": 0, "total_private_repos": 0, "owned_private_repos": 0, "disk_usage": 0,
        "collaborators": 0, "two_factor_authentication": true,
        "plan": [
          "name": "free", "space": 976_562_499, "collaborators": 0, "private_repos": 10_000,
        ],
      ]) { _, new in new }
    }
    store.withState { $0.faults.tokens[.github] }?.apply(toUserInfo: &members)
    return (.object(members), [])
  }

  /// `GET /user/emails` (GitHub, "List email addresses for the authenticated user").
  ///
  /// - Throws: For an OAuth app 404 without `user:email`: GitHub answers in the same way whether a
  ///   resource is forbidden or doesn't exist. For a GitHub App 403 without the permission.
  func emails(_ caller: Caller) throws(GitHubError) -> (value: JSONValue, accepted: [Scope]) {
    let page = "/users/emails#list-email-addresses-for-the-authenticated-user"
    let emails = JSONValue.array(caller.user.emails.map(\.json))
    if let permissions = caller.permissions {
      guard permissions.readsEmails else {
        throw GitHubError(.forbidden, "Resource not accessible by integration", page: page)
      }
      return (emails, [])
    }
    guard !caller.grant.scopes.isDisjoint(with: [.user, .userEmail]) else {
      throw GitHubError(.notFound, "Not Found", page: page)
    }
    return (emails, [.user, .userEmail])
  }

  /// A "simple user", which is also part of other responses.
  func simple(_ user: GitHubUser) -> [String: JSONValue] {
    let api = "https://api.github.com/users/\(user.login)"
    let picture = user.picture ?? "\(store.baseURL)/github/avatars/u/\(user.id)?v=4"
    return [
      "login": .string(user.login), "id": .integer(user.id),
      "node_id": .string("U_" + Base64URL.text("04:User\(user.id)".utf8)),
      "avatar_url": .string(picture), "gravatar_id": "",
      "url": .string(api), "html_url": .string("https://github.com/\(user.login)"),
      "followers_url": .string("\(api)/followers"),
      "following_url": .string("\(api)/following{/other_user}"),
      "gists_url": .string("\(api)/gists{/gist_id}"),
      "starred_url": .string("\(api)/starred{/owner}{/repo}"),
      "subscriptions_url": .string("\(api)/subscriptions"),
      "organizations_url": .string("\(api)/orgs"), "repos_url": .string("\(api)/repos"),
      "events_url": .string("\(api)/events{/privacy}"),
      "received_events_url": .string("\(api)/received_events"),
      "type": "User", "user_view_type": "public", "site_admin": false,
    ]
  }
}
