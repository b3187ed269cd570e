import GatehouseClient

/// The parameters of a page with sign-in buttons.
struct SignInPage: Sendable {
  var manager: AccountManager
  var options: [SignInOption]
  var rule: NewAccountRule = .ask
  var language: TextLanguage = .english
  /// What a user can add if the project requires a second factor.
  var secondFactors: [SecondFactorOption] = [.authenticatorApp]

  /// Whether the app can ask the device for a saved password.
  var offersSavedPasswords: Bool {
    options.contains(.password) && manager.devices.passwords != nil
  }

  /// Whether the app can ask the device for a passkey.
  var offersPasskeys: Bool { options.contains(.passkey) && manager.devices.passkeys != nil }

  /// The app's names of its providers.
  var names: [Provider: String] {
    var names: [Provider: String] = [:]
    for case .browser(let provider, let title) in options { names[provider] = title }
    return names
  }
}
