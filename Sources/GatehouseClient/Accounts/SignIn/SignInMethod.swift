/// A way for a user to authenticate.
public enum SignInMethod: Sendable, Hashable {
  /// Apple's sheet.
  case apple
  /// Google's sheet.
  case google
  /// Apple's account and the saved passwords, in one sheet.
  case offered
  /// Only a password that the device has saved for the app. If none is saved, nothing is shown
  /// (tvOS and watchOS may show a sheet). Then the result is ``SignInAnswer/cancelled`` or the
  /// error ``DeviceFault/unavailable(detail:)``: the system doesn't always distinguish them.
  case savedPassword
  /// A passkey, in the system's sheet.
  case passkey
  /// A sign-in in a browser, for `oidc.example` and any other provider of the project.
  case browser(Provider, scopes: [String] = [], customParameters: [String: String] = [:])
  case password(email: String, password: String)
  /// A credential that the app already has. Shows nothing.
  case credential(Credential)
}

extension AccountManager {
  /// The user's credential for `method`.
  func credential(by method: SignInMethod) async throws(AccountError) -> Credential {
    switch method {
    case .apple: try await askApple().credential()
    case .google: try await askGoogle().credential
    case .offered: try await askOffered(withApple: devices.apple != nil)
    case .savedPassword: try await askOffered(withApple: false)
    case .passkey: try await askPasskey(.sheet)
    case .browser(let provider, let scopes, let customParameters):
      try await askBrowser(provider, scopes: scopes, customParameters: customParameters)
    case .password(let email, let password): .password(email: email, password: password)
    case .credential(let credential): credential
    }
  }
}

/// Passwords stay out of logs.
extension SignInMethod: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  public var description: String {
    switch self {
    case .apple: "apple"
    case .google: "google"
    case .offered: "offered"
    case .savedPassword: "savedPassword"
    case .passkey: "passkey"
    case .browser(let provider, _, _): "browser(\(provider))"
    case .password: "password"
    case .credential(let credential): "credential(\(credential.provider))"
    }
  }
  public var debugDescription: String { description }
  public var customMirror: Mirror { Mirror(self, children: []) }
}
