/// The scopes of a sign-in.
enum MicrosoftScopes {
  private static let graph = "https://graph.microsoft.com/"

  /// The known ones in a list with spaces between. Those of Microsoft Graph may be written in full.
  static func parse(_ list: String?) -> Set<Scope> {
    MicrosoftProvider().knownScopes(list?.replacing(graph, with: ""))
  }

  /// - Returns: The first that isn't known.
  static func unknown(_ list: String?) -> String? {
    Scope.parse(list?.replacing(graph, with: "")).subtracting(MicrosoftProvider().scopes)
      .map(\.rawValue).min()
  }
}

extension Scope {
  /// Microsoft Graph's: the person's profile.
  static let userRead = Scope(rawValue: "User.Read")
}
