public import Foundation

/// Sign in with Apple on a device.
///
/// `AppleSheet` shows the system's sheet. ``SimulatedAppleSheet`` asks the simulator.
public protocol AppleAuthorizing: Sendable {
  /// Shows the sheet and returns the user's authorization.
  ///
  /// - Throws: ``DeviceFault/cancelled``, also if the task is cancelled; ``DeviceFault/busy`` while
  ///   a sheet is open.
  func authorize(_ request: AppleAuthorizationRequest)
    async throws(DeviceFault) -> AppleAuthorization

  /// Reads the state of the user's authorization. Shows nothing.
  ///
  /// - Parameter user: The ``LinkedProvider/uid`` of `apple.com`.
  /// - Throws: ``DeviceFault`` if the state isn't available now.
  func credentialState(forUserID user: String) async throws(DeviceFault) -> ProviderCredentialState

  /// Calls `observer`, on any thread, when a user may have revoked an authorization while the app is
  /// running. The call doesn't say which user: read the state.
  ///
  /// - Returns: Nil if the device reports nothing, which is the default. The calls end when the
  ///   ``DeviceObservation`` is cancelled or released.
  func observeRevocations(_ observer: @escaping @Sendable () -> Void) -> DeviceObservation?
}

extension AppleAuthorizing {
  public func observeRevocations(_ observer: @escaping @Sendable () -> Void)
    -> DeviceObservation?
  { nil }
}

public struct AppleAuthorizationRequest: Sendable, Hashable {
  public enum Scope: String, Sendable, Hashable, CaseIterable { case fullName, email }

  public var scopes: Set<Scope>
  /// Apple copies it to the ID token. Pass ``Nonce/sha256``.
  public var nonce: String
  public var state: String?

  public init(nonce: String, scopes: Set<Scope> = [.fullName, .email], state: String? = nil) {
    self.nonce = nonce
    self.scopes = scopes
    self.state = state
  }
}

/// The data of an `ASAuthorizationAppleIDCredential`, unchecked.
public struct AppleAuthorization: Sendable, Hashable {
  /// Apple's user id, which is the same for all apps of one team.
  public var user: String
  public var identityToken: Data?
  /// Can be used once, within five minutes.
  public var authorizationCode: Data?
  /// Only with the first authorization.
  public var fullName: PersonName?
  /// Only with the first authorization.
  public var email: String?
  public var realUserStatus: RealUserStatus
  public var state: String?

  public init(
    user: String, identityToken: Data? = nil, authorizationCode: Data? = nil,
    fullName: PersonName? = nil, email: String? = nil,
    realUserStatus: RealUserStatus = .unsupported, state: String? = nil
  ) {
    self.user = user
    self.identityToken = identityToken
    self.authorizationCode = authorizationCode
    self.fullName = fullName
    self.email = email
    self.realUserStatus = realUserStatus
    self.state = state
  }
}

/// Keeps tokens, codes and the user's data out of logs.
extension AppleAuthorization: CustomStringConvertible, CustomDebugStringConvertible,
  CustomReflectable
{
  public var description: String { "AppleAuthorization" }
  public var debugDescription: String { description }
  public var customMirror: Mirror { Mirror(self, children: []) }
}
