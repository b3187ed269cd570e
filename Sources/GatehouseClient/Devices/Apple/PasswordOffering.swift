/// Offers the passwords that the device has saved for the app, and Apple's account, in one sheet.
///
/// A user who already has an account finds it there, and doesn't create a second one with Apple's
/// button.
public protocol PasswordOffering: Sendable {
  /// - Parameter apple: Nil if Apple's account isn't offered. Then the sheet is shown only if a
  ///   password is saved, except on tvOS and watchOS, where the system decides.
  /// - Throws: ``DeviceFault``; ``DeviceFault/unavailable(detail:)`` if the device has nothing to
  ///   offer.
  func offer(_ apple: AppleAuthorizationRequest?) async throws(DeviceFault) -> OfferedCredential
}

/// The credential that the user chose in the sheet.
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
