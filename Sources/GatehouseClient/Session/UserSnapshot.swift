public import Foundation

/// The profile of the signed-in user, as it was at one moment.
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
  /// Nil in a session that an earlier version of the SDK stored.
  private var knownSecondFactors: [SecondFactor]?
  private var knownPasskeys: [Passkey]?
  /// How many recovery codes are left. Nil if the account has none.
  public var recoveryCodesLeft: Int?
  public var createdAt: Date?
  /// When the user last signed in, on any device, by the server's clock. To find out whether a sign-in
  /// is recent, use ``IDToken/authenticatedAt`` instead.
  public var lastSignInAt: Date?
  public var tenantID: String?

  public init(uid: String) {
    self.uid = uid
    isAnonymous = false
    isEmailVerified = false
    providers = []
  }

  public var secondFactors: [SecondFactor] {
    get { knownSecondFactors ?? [] }
    set { knownSecondFactors = newValue.isEmpty ? nil : newValue }
  }

  public var passkeys: [Passkey] {
    get { knownPasskeys ?? [] }
    set { knownPasskeys = newValue.isEmpty ? nil : newValue }
  }

  /// The identity at `provider`, if it is linked.
  public func provider(_ provider: Provider) -> LinkedProvider? {
    providers.first { $0.provider == provider }
  }
}

/// A way to sign in to the account: an identity at a provider, a password or a phone number.
public struct LinkedProvider: Sendable, Hashable, Codable {
  public var provider: Provider
  /// The user's id at the provider: the subject. For a password it is the email address, for a phone
  /// number the number.
  public var uid: String
  public var displayName: String?
  public var photoURL: URL?
  public var email: String?
  public var phoneNumber: String?
  /// Whether the server revokes the app's authorization at this provider when the account is deleted.
  /// Then the app needs no sheet of the provider for that. Nil if it doesn't, or if this isn't known.
  public var isRevokedOnDeletion: Bool?
  /// When the user withdrew consent at this provider, if the provider reported it to the server and
  /// the user hasn't signed in with it since. The value is as old as the snapshot. To get updates, use
  /// ``AccountManager/credentialStates``.
  public var consentRevokedAt: Date?

  public init(provider: Provider, uid: String) {
    self.provider = provider
    self.uid = uid
  }
}
