public import Foundation

/// What is known about the signed-in user at one moment. A value: it doesn't change.
public struct UserSnapshot: Sendable, Hashable, Codable {
  public var uid: String
  public var isAnonymous: Bool
  public var email: String?
  public var isEmailVerified: Bool
  public var displayName: String?
  public var photoURL: URL?
  public var phoneNumber: String?
  /// All ways to sign in to the account, in the server's order.
  public var providers: [LinkedProvider]
  public var createdAt: Date?
  /// By the server's clock. To find out whether a sign-in is recent, use
  /// ``IDToken/authenticatedAt`` instead.
  public var lastSignInAt: Date?
  public var tenantID: String?

  public init(uid: String) {
    self.uid = uid
    isAnonymous = false
    isEmailVerified = false
    providers = []
  }

  /// The identity at `provider`, if it is linked.
  public func provider(_ provider: Provider) -> LinkedProvider? {
    providers.first { $0.provider == provider }
  }
}

/// An identity at a provider that leads to the account.
public struct LinkedProvider: Sendable, Hashable, Codable {
  public var provider: Provider
  /// The user's id there: the provider's subject, or the email address of a password.
  public var uid: String
  public var displayName: String?
  public var photoURL: URL?
  public var email: String?
  public var phoneNumber: String?
  /// Whether deleting the account makes the server revoke what the user granted at this provider. The
  /// app then needs no sheet of the provider for that. Nil: no, or the server doesn't say.
  public var isRevokedOnDeletion: Bool?
  /// When the user withdrew consent at this provider, if the provider reported it to the server and
  /// the user hasn't signed in with it since. It is as old as the snapshot:
  /// ``AccountManager/credentialStates`` keeps it up to date.
  public var consentRevokedAt: Date?

  public init(provider: Provider, uid: String) {
    self.provider = provider
    self.uid = uid
  }
}
