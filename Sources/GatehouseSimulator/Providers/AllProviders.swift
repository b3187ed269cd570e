extension Provider {
  /// Every kind there is. A new one is a folder beside this file, and a line here.
  static let kinds: [any ProviderKind] = [
    AppleProvider(), GoogleProvider(), FacebookProvider(), GitHubProvider(),
    MicrosoftProvider(), OpenIDConnectProvider(),
  ]
}
