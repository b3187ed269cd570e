import GatehouseClient

extension User {
  /// An ID token that is valid for more than five more minutes.
  ///
  /// Sends a request only if the held token is not valid for that long, or if `forceRefresh` is
  /// true. Simultaneous calls share one request.
  ///
  /// - Throws: ``AuthErrorCode/userTokenExpired``, ``AuthErrorCode/userDisabled``,
  ///   ``AuthErrorCode/userNotFound``, ``AuthErrorCode/invalidUserToken``: the user is then signed
  ///   out. ``AuthErrorCode/networkError``: the user is still signed in.
  public func getIDToken(forcingRefresh forceRefresh: Bool = false) async throws -> String {
    try await idToken(forcingRefresh: forceRefresh).token
  }

  /// As ``getIDToken(forcingRefresh:)``.
  public func idTokenForcingRefresh(_ forceRefresh: Bool) async throws -> String {
    try await idToken(forcingRefresh: forceRefresh).token
  }

  public func getIDToken(completion: ((String?, (any Error)?) -> Void)?) {
    getIDTokenForcingRefresh(false, completion: completion)
  }

  public func getIDTokenForcingRefresh(
    _ forceRefresh: Bool, completion: ((String?, (any Error)?) -> Void)?
  ) {
    completing(completion) { try await self.getIDToken(forcingRefresh: forceRefresh) }
  }

  /// The ID token and its claims. The signature isn't verified here: a back end does that.
  public func getIDTokenResult(
    forcingRefresh forceRefresh: Bool = false
  ) async throws -> AuthTokenResult {
    AuthTokenResult(try await idToken(forcingRefresh: forceRefresh))
  }

  public func getIDTokenResult(completion: ((AuthTokenResult?, (any Error)?) -> Void)?) {
    getIDTokenResult(forcingRefresh: false, completion: completion)
  }

  public func getIDTokenResult(
    forcingRefresh: Bool, completion: ((AuthTokenResult?, (any Error)?) -> Void)?
  ) {
    completing(completion) { try await self.getIDTokenResult(forcingRefresh: forcingRefresh) }
  }

  /// The held ID token. Listeners compare it to detect a new one.
  var heldToken: String? { person.heldIDToken?.token }

  private func idToken(forcingRefresh: Bool) async throws -> IDToken {
    let person = self.person
    return try await asAuthErrors { () async throws(ClientError) in
      try await person.idToken(forcingRefresh: forcingRefresh)
    }
  }
}
