/// The permissions of a GitHub App: the member `permissions` of `PUT /simulator/clients`. A client
/// with this member is a GitHub App; every other client is an OAuth app.
///
/// "Unlike a traditional OAuth token, the user access token does not use scopes. Instead, it uses
/// fine-grained permissions" (GitHub, "Generating a user access token for a GitHub App").
struct GitHubPermissions: Sendable {
  static let member = "permissions"
  /// The permission "Email addresses", as the address of GitHub's registration page names it.
  private static let emails = "emails"
  private static let levels = ["read", "write"]

  let readsEmails: Bool

  /// - Throws: `invalid_request` for an unknown permission or level.
  init(_ value: JSONValue) throws(SimulatorError) {
    guard case .object(let permissions) = value,
      permissions.allSatisfy({ name, level in
        name.isSame(as: Self.emails) && Self.levels.contains(level.stringValue ?? "")
      })
    else {
      throw .invalidRequest(
        "\"permissions\" may contain only \"emails\", which is \"read\" or \"write\".")
    }
    readsEmails = !permissions.isEmpty
  }
}

extension SimulatorState {
  /// The permissions of a GitHub App; nil for an OAuth app.
  func gitHubPermissions(of clientID: String) -> GitHubPermissions? {
    clients[.github, clientID]?.details[GitHubPermissions.member]
      .flatMap { try? GitHubPermissions($0) }
  }
}
