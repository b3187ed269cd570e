import GatehouseClient

/// What a page with sign-in buttons was made with.
struct SignInPage: Sendable {
  var manager: AccountManager
  var options: [SignInOption]
  var rule: NewAccountRule = .ask
  var language: TextLanguage = .english

  /// Whether the device can be asked for a saved password.
  var offersSavedPasswords: Bool {
    options.contains(.password) && manager.devices.passwords != nil
  }

  /// What the app calls its providers.
  var names: [Provider: String] {
    var names: [Provider: String] = [:]
    for case .browser(let provider, let title) in options { names[provider] = title }
    return names
  }
}
