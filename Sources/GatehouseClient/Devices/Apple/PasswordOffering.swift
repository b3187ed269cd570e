/// Offers the passwords that the device knows for the app beside Apple's account, in one sheet.
///
/// So somebody who has an account finds it, instead of making a second one by Apple's button.
public protocol PasswordOffering: Sendable {
  /// - Parameter apple: Nil where Apple's account isn't offered. Then nothing is shown unless a
  ///   password is saved: an app may ask without knowing.
  /// - Throws: ``DeviceFault``; ``DeviceFault/unavailable(detail:)`` where the device knows nothing
  ///   to offer.
  func offer(_ apple: AppleAuthorizationRequest?) async throws(DeviceFault) -> OfferedCredential
}

/// What the person chose of what was offered.
public enum OfferedCredential: Sendable, Hashable {
  case apple(AppleAuthorization)
  case password(user: String, password: String)
}

/// Secrets stay out of logs.
extension OfferedCredential: CustomStringConvertible, CustomDebugStringConvertible,
  CustomReflectable
{
  public var description: String {
    switch self {
    case .apple: "OfferedCredential.apple"
    case .password: "OfferedCredential.password"
    }
  }
  public var debugDescription: String { description }
  public var customMirror: Mirror { Mirror(self, children: []) }
}
