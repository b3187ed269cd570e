public import GatehouseJSON

/// The result of a sign-in, a link or a re-authentication.
public struct SignInResult: Sendable {
  public let user: SignedInUser
  /// The profile in the server's answer. Later changes are in ``SignedInUser/snapshot``.
  public let snapshot: UserSnapshot
  public let provider: Provider?
  public let isNewUser: Bool
  /// What the provider said about the user (`rawUserInfo`).
  public let profile: JSONObject?
  /// The user's public name, at providers that have one.
  public let username: String?
  /// The provider's tokens, if the server returned them.
  public let credential: IdentityProviderCredential?

  package init(
    user: SignedInUser, snapshot: UserSnapshot, provider: Provider?, isNewUser: Bool,
    profile: JSONObject? = nil, username: String? = nil,
    credential: IdentityProviderCredential? = nil
  ) {
    self.user = user
    self.snapshot = snapshot
    self.provider = provider
    self.isNewUser = isNewUser
    self.profile = profile
    self.username = username
    self.credential = credential
  }
}

/// A user's consent, for a project that asks before identities are joined.
public struct Consent: Sendable, Hashable, Codable {
  /// The app's name for the text that was shown, 1 to 128 bytes.
  public var version: String
  /// What is joined: provider names, `email`, `phone`.
  public var joins: [String]

  public init(version: String, joins: [String]) {
    self.version = version
    self.joins = joins
  }
}
