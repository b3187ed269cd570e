public import GatehouseJSON

/// Somebody signed in, was linked, or proved again who they are.
public struct SignInResult: Sendable {
  public let user: SignedInUser
  /// As the server answered: later changes are in ``SignedInUser/snapshot``.
  public let snapshot: UserSnapshot
  public let provider: Provider?
  public let isNewUser: Bool
  /// What the provider said of the person (`rawUserInfo`).
  public let profile: JSONObject?
  /// The person's public name at providers that have one.
  public let username: String?
  /// The provider's tokens, where the server returned them.
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

/// What the person agreed to, for a project that asks before identities come together.
public struct Consent: Sendable, Hashable, Codable {
  /// The app's own name for the text that was shown, 1 to 128 bytes.
  public var version: String
  /// What comes together: provider names, `email`, `phone`.
  public var joins: [String]

  public init(version: String, joins: [String]) {
    self.version = version
    self.joins = joins
  }
}
