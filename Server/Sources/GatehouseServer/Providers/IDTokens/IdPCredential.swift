package import GatehouseProtocol

/// What an app sends to show which user signed in at the provider.
package struct IdPCredential: Sendable {
  package var idToken: Secret<String>?
  /// For Apple this may be the authorization code instead: Firebase's SDKs have no other parameter
  /// for it.
  package var accessToken: Secret<String>?
  package var authorizationCode: Secret<String>?
  /// The nonce before hashing; nil or empty if there is none.
  package var rawNonce: String?
  /// The name in Apple's `user` JSON, which Apple sends once and never in the token. The client may
  /// have written anything.
  package var userName: UserName?
  /// What Apple's sheet told the app, for a token without `real_user_status`. The client may have
  /// written anything.
  package var realUserStatus: RealUserStatus?

  package init(
    idToken: Secret<String>? = nil, accessToken: Secret<String>? = nil,
    authorizationCode: Secret<String>? = nil, rawNonce: String? = nil, userName: UserName? = nil
  ) {
    self.idToken = idToken
    self.accessToken = accessToken
    self.authorizationCode = authorizationCode
    self.rawNonce = rawNonce
    self.userName = userName
  }

  var hasIDToken: Bool { idToken?.reveal().isEmpty == false }
  var hasAccessToken: Bool { accessToken?.reveal().isEmpty == false }
}
