#if canImport(SwiftUI)
  public import GatehouseClient

  /// A button of ``SignInButtons``.
  public enum SignInOption: Sendable, Hashable {
    case apple
    case google
    /// - Parameter title: What stands on the button.
    case browser(Provider, title: String)

    var provider: Provider {
      switch self {
      case .apple: .apple
      case .google: .google
      case .browser(let provider, _): provider
      }
    }

    func title(in language: TextLanguage) -> String {
      switch self {
      case .apple: InterfaceText.continueWithApple.text(in: language)
      case .google: InterfaceText.continueWithGoogle.text(in: language)
      case .browser(_, let title): title
      }
    }

    /// Nil for Apple, whose button shows its own sheet.
    var method: SignInMethod? {
      switch self {
      case .apple: nil
      case .google: .google
      case .browser(let provider, _): .browser(provider)
      }
    }
  }
#endif
