/// Sign in with Google on a device, by Google's SDK.
///
/// The SDK keeps its own record of the signed-in user and their tokens, which can differ from the
/// app's session.
public protocol GoogleSigningIn: Sendable {
  /// Whether Google returns the request's nonce in the ID token, as GoogleSignIn does since 9.0. If
  /// not, no nonce is sent to the server either. True by default.
  var takesNonce: Bool { get }

  /// Shows Google's sheet and returns the user's authorization.
  ///
  /// - Throws: ``DeviceFault/cancelled``, also if the task is cancelled; ``DeviceFault/busy`` while
  ///   a sheet is open.
  func signIn(_ request: GoogleSignInRequest) async throws(DeviceFault) -> GoogleAuthorization

  /// Whether Google still accepts the tokens that the device has for `user`. Shows nothing.
  ///
  /// - Parameter user: The ``LinkedProvider/uid`` of `google.com`.
  /// - Returns: ``ProviderCredentialState/notFound`` if the device has no tokens for the user.
  /// - Throws: ``DeviceFault`` if the state isn't available now.
  func credentialState(forUserID user: String) async throws(DeviceFault) -> ProviderCredentialState

  /// Revokes the app's authorization at Google, and forgets `user` on the device.
  ///
  /// - Parameter user: The user who must be signed in to Google on the device. Google's SDK itself
  ///   doesn't check this: without a user it does nothing, and it disconnects any other user.
  /// - Throws: ``DeviceFault/unavailable(detail:)`` if no user or another user is signed in to
  ///   Google on the device. Then nothing was done.
  func disconnect(userID user: String) async throws(DeviceFault)

  /// Forgets the user who is signed in to Google on this device. Sends no request.
  func signOut() async
}

extension GoogleSigningIn {
  public var takesNonce: Bool { true }
}

public struct GoogleSignInRequest: Sendable, Hashable {
  /// Google copies it to the ID token. Pass ``Nonce/sha256``, or nil for no nonce.
  public var nonce: String?
  /// An email address to propose in the sheet.
  public var hint: String?

  public init(nonce: String? = nil, hint: String? = nil) {
    self.nonce = nonce
    self.hint = hint
  }
}

/// What Google's SDK returns about a user who signed in.
public struct GoogleAuthorization: Sendable, Hashable {
  /// Google's user id (`sub`), if the SDK returns it.
  public var user: String?
  public var idToken: String?
  public var accessToken: String?

  public init(user: String? = nil, idToken: String?, accessToken: String? = nil) {
    self.user = user
    self.idToken = idToken
    self.accessToken = accessToken
  }
}

/// Keeps tokens and the user's id out of logs.
extension GoogleAuthorization: CustomStringConvertible, CustomDebugStringConvertible,
  CustomReflectable
{
  public var description: String { "GoogleAuthorization" }
  public var debugDescription: String { description }
  public var customMirror: Mirror { Mirror(self, children: []) }
}
