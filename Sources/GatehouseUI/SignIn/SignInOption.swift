public import GatehouseClient

/// A button of `SignInButtons`.
public enum SignInOption: Sendable, Hashable {
  case apple
  case google
  /// The email address and password of an existing account. If the manager has
  /// `AccountDevices.passwords`, the device's saved passwords are offered too.
  ///
  /// Creates no account: that needs a way to verify the address, which the app must provide
  /// (`AuthClient.createUser(email:password:)`).
  case password
  /// A passkey of the device: needs `AccountDevices.passkeys`. Passkeys are also suggested above the
  /// keyboard of the password form, and the account page lists the user's.
  case passkey
  /// A new account with a passkey: needs `AccountDevices.passkeys`. A user who has an account with Sign in
  /// with Apple can choose it in the sheet, which needs `AccountDevices.apple`.
  case newPasskey
  /// - Parameter title: The text on the button.
  case browser(Provider, title: String)

  var provider: Provider {
    switch self {
    case .apple: .apple
    case .google: .google
    case .password: .password
    case .passkey, .newPasskey: .passkey
    case .browser(let provider, _): provider
    }
  }

  func title(in language: TextLanguage) -> String {
    switch self {
    case .apple: InterfaceText.continueWithApple.text(in: language)
    case .google: InterfaceText.continueWithGoogle.text(in: language)
    case .password: InterfaceText.continueWithPassword.text(in: language)
    case .passkey: InterfaceText.continueWithPasskey.text(in: language)
    case .newPasskey: InterfaceText.signUpWithPasskey.text(in: language)
    case .browser(_, let title): title
    }
  }

  /// Nil if the user must do something first: Apple's button shows its own sheet, the password form asks for
  /// a password, and an account is created.
  var method: SignInMethod? {
    switch self {
    case .apple, .password, .newPasskey: nil
    case .google: .google
    case .passkey: .passkey
    case .browser(let provider, _): .browser(provider)
    }
  }
}
