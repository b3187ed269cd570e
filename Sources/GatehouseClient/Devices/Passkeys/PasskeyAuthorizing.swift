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

  /// Creates a passkey for a new account, and asks for the user's email address and name in the same sheet
  /// (iOS 26, macOS 26, visionOS 26). Earlier systems only create the passkey, and so does the default
  /// implementation.
  ///
  /// - Throws: ``DeviceFault``; ``DeviceFault/unavailable(detail:)`` if the device isn't set up for passkeys.
  func createAccount(
    _ creation: PasskeyCreation
  ) async throws(DeviceFault) -> PasskeyAccountAnswer

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

extension PasskeyAuthorizing {
  public func createAccount(
    _ creation: PasskeyCreation
  ) async throws(DeviceFault) -> PasskeyAccountAnswer {
    .created(PasskeyAccount(registration: try await create(creation, quietly: false)))
  }
}

/// The user's answer to a sheet that creates an account.
public enum PasskeyAccountAnswer: Sendable, Hashable {
  case created(PasskeyAccount)
  /// The user has an account with Sign in with Apple, and chose it. No passkey was created.
  case prefersApple
}

/// A new account's passkey, and what the user entered in the sheet.
public struct PasskeyAccount: Sendable, Hashable {
  public var registration: PasskeyRegistration
  /// Nobody has verified it.
  public var email: String?
  public var name: PersonName?

  public init(registration: PasskeyRegistration, email: String? = nil, name: PersonName? = nil) {
    self.registration = registration
    self.email = email
    self.name = name
  }
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
