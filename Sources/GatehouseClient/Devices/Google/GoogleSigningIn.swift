/// Google's sign-in, as its SDK offers it on a device.
///
/// The SDK keeps who signed in and their tokens, so the app's session and it can differ.
public protocol GoogleSigningIn: Sendable {
  /// Whether a nonce in the request comes back in the ID token: since GoogleSignIn 9.0. Without,
  /// none is sent to the server either. True unless said otherwise.
  var takesNonce: Bool { get }

  /// Shows Google's sheet; answers exactly once.
  ///
  /// - Throws: ``DeviceFault/cancelled``, also if the task is cancelled; ``DeviceFault/busy`` while
  ///   a sheet is open.
  func signIn(_ request: GoogleSignInRequest) async throws(DeviceFault) -> GoogleAuthorization

  /// Whether Google still honours what the device has of `user`. Shows nothing.
  ///
  /// - Parameter user: ``LinkedProvider/uid`` of `google.com`.
  /// - Returns: ``ProviderCredentialState/notFound`` if the device has nothing of them.
  /// - Throws: ``DeviceFault`` if that can't be told now.
  func credentialState(forUserID user: String) async throws(DeviceFault) -> ProviderCredentialState

  /// Takes the agreement to the app back at Google, and forgets `user` on the device.
  ///
  /// - Parameter user: Whom the device has. Google's SDK itself would silently do nothing without
  ///   anybody, and disconnect whoever it is with somebody else.
  /// - Throws: ``DeviceFault/unavailable(detail:)`` if the device has nobody or somebody else, and
  ///   then did nothing.
  func disconnect(userID user: String) async throws(DeviceFault)

  /// Forgets who signed in to Google on this device. Makes no request.
  func signOut() async
}

extension GoogleSigningIn {
  public var takesNonce: Bool { true }
}

public struct GoogleSignInRequest: Sendable, Hashable {
  /// As Google puts it into the ID token: ``Nonce/sha256``. Nil for none.
  public var nonce: String?
  /// An address to propose.
  public var hint: String?

  public init(nonce: String? = nil, hint: String? = nil) {
    self.nonce = nonce
    self.hint = hint
  }
}

/// What Google's SDK has of somebody who signed in.
public struct GoogleAuthorization: Sendable, Hashable {
  /// Google's name for the person (`sub`), where the SDK tells it.
  public var user: String?
  public var idToken: String?
  public var accessToken: String?

  public init(user: String? = nil, idToken: String?, accessToken: String? = nil) {
    self.user = user
    self.idToken = idToken
    self.accessToken = accessToken
  }
}

/// Tokens and who it is stay out of logs.
extension GoogleAuthorization: CustomStringConvertible, CustomDebugStringConvertible,
  CustomReflectable
{
  public var description: String { "GoogleAuthorization" }
  public var debugDescription: String { description }
  public var customMirror: Mirror { Mirror(self, children: []) }
}
