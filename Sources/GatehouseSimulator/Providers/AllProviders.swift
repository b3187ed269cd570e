extension Provider {
  /// All kinds of providers. To add one, create a folder beside this file and add a line here.
  static let kinds: [any ProviderKind] = [
    AppleProvider(), GoogleProvider(), FacebookProvider(), GitHubProvider(),
    MicrosoftProvider(), OpenIDConnectProvider(),
  ]
}
