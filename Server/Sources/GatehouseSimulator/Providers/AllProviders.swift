extension Provider {
  /// All kinds of providers. To add one, create a folder beside this file and add a line here.
  static let kinds: [any ProviderKind] = [
    AppleProvider(), GoogleProvider(), FacebookProvider(), GitHubProvider(),
    MicrosoftProvider(), OpenIDConnectProvider(),
  ]

  /// Their names, as running text.
  static var names: String {
    let names = kinds.map(\.displayName)
    return names.dropLast().joined(separator: ", ") + " and " + (names.last ?? "")
  }
}
