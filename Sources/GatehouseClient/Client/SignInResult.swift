public import GatehouseProtocol

/// The result of a sign-in, a link or a re-authentication.
public struct SignInResult: Sendable {
  public let user: SignedInUser
  /// The profile after the call. Later changes are in ``SignedInUser/snapshot``.
  public let snapshot: UserSnapshot
  public let provider: Provider?
  public let isNewUser: Bool
  /// The provider's data about the user (`rawUserInfo`).
  public let profile: JSONObject?
  /// The user's public name at the provider, if the provider has such names.
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
