/// The scopes that a sign-in can request.
enum MicrosoftScopes {
  private static let graph = "https://graph.microsoft.com/"

  /// The supported scopes of a space-separated list. Those of Microsoft Graph may be full URIs.
  static func parse(_ list: String?) -> Set<Scope> {
    MicrosoftProvider().knownScopes(list?.replacing(graph, with: ""))
  }

  /// - Returns: The first unsupported scope.
  static func unknown(_ list: String?) -> String? {
    Scope.parse(list?.replacing(graph, with: "")).subtracting(MicrosoftProvider().scopes)
      .map(\.rawValue).min()
  }
}

extension Scope {
  /// Microsoft Graph's scope for the person's profile.
  static let userRead = Scope(rawValue: "User.Read")
}
