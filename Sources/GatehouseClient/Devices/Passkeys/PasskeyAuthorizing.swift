/// Creates passkeys and signs with them.
///
/// The app needs an associated domain of the service `webcredentials` for the project's relying party.
public protocol PasskeyAuthorizing: Sendable {
  /// Creates a passkey.
  ///
  /// - Parameter quietly: Whether to create it without a sheet, if the user has just signed in with a saved
  ///   password and the system allows it (iOS 18, macOS 15). Otherwise this throws.
  /// - Throws: ``DeviceFault``; ``DeviceFault/unavailable(detail:)`` if the device has one of the account's
  ///   passkeys already, and if it creates none quietly.
  func create(
    _ creation: PasskeyCreation, quietly: Bool
  ) async throws(DeviceFault) -> PasskeyRegistration

  /// Signs with a passkey that the user chooses.
  ///
  /// - Throws: ``DeviceFault``
  func sign(
    _ request: PasskeyRequest, _ style: PasskeySignInStyle
  ) async throws(DeviceFault) -> PasskeyAssertion

  /// Tells the system which passkeys the account still has, so that it offers no other (iOS 26, macOS 26).
  /// Without effect on earlier systems.
  func keep(_ passkeys: [Passkey], of relyingPartyID: String) async
}

/// How the system offers passkeys.
public enum PasskeySignInStyle: Sendable, Hashable {
  /// A sheet, also for a passkey of another device.
  case sheet
  /// A sheet if the device has a passkey. If not, ``DeviceFault/cancelled``, and nothing is shown.
  case sheetIfAvailable
  /// Among the suggestions above the keyboard, for a text field of the content type `username`. Ends when
  /// the user chooses one, or the task is cancelled (iOS 16, visionOS 1).
  case autoFill
}
