public import Foundation

/// Sign in with Apple, as a device offers it.
///
/// `AppleSheet` is the system's, `SimulatedAppleSheet` asks the simulator.
public protocol AppleAuthorizing: Sendable {
  /// Shows the sheet and returns what the person agreed to; answers exactly once.
  ///
  /// - Throws: ``DeviceFault/cancelled``, also if the task is cancelled; ``DeviceFault/busy`` while
  ///   a sheet is open.
  func authorize(_ request: AppleAuthorizationRequest)
    async throws(DeviceFault) -> AppleAuthorization

  /// Shows nothing.
  ///
  /// - Parameter user: ``LinkedProvider/uid`` of `apple.com`.
  /// - Throws: ``DeviceFault`` if that can't be told now.
  func credentialState(forUserID user: String) async throws(DeviceFault) -> ProviderCredentialState
}

public struct AppleAuthorizationRequest: Sendable, Hashable {
  public enum Scope: String, Sendable, Hashable, CaseIterable { case fullName, email }

  public var scopes: Set<Scope>
  /// As Apple puts it into the ID token: ``Nonce/sha256``.
  public var nonce: String
  public var state: String?

  public init(nonce: String, scopes: Set<Scope> = [.fullName, .email], state: String? = nil) {
    self.nonce = nonce
    self.scopes = scopes
    self.state = state
  }
}

/// What `ASAuthorizationAppleIDCredential` has, as it comes: nothing is checked.
public struct AppleAuthorization: Sendable, Hashable {
  public enum RealUserStatus: Int, Sendable, Hashable {
    case unsupported = 0
    case unknown = 1
    case likelyReal = 2
  }

  /// Apple's name for the person, for this team's apps.
  public var user: String
  public var identityToken: Data?
  /// Five minutes, once.
  public var authorizationCode: Data?
  /// At the first time only.
  public var fullName: PersonName?
  /// At the first time only.
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

/// Tokens, codes and who it is stay out of logs.
extension AppleAuthorization: CustomStringConvertible, CustomDebugStringConvertible,
  CustomReflectable
{
  public var description: String { "AppleAuthorization" }
  public var debugDescription: String { description }
  public var customMirror: Mirror { Mirror(self, children: []) }
}
