import GatehouseClient

extension Auth {
  /// The ID token of who is signed in, for other libraries; nil without an error where nobody is.
  public func getToken(
    forcingRefresh forceRefresh: Bool,
    completion callback: @escaping (String?, (any Error)?) -> Void
  ) {
    let user = currentUser
    completing({ (token: String??, error: (any Error)?) in callback(token ?? nil, error) }) {
      try await user?.getIDToken(forcingRefresh: forceRefresh)
    }
  }

  /// Has the server end what Apple gave the app, by the authorization code of a fresh sheet.
  ///
  /// What an app must do when an account is deleted. A code is good once and for five minutes; it is
  /// used up also if revoking then fails.
  ///
  /// - Throws: ``AuthErrorCode/nullUser`` where nobody is signed in: Google's SDK never comes back
  ///   then.
  public func revokeToken(withAuthorizationCode authorizationCode: String) async throws {
    guard let person = currentUser?.person else { throw ClientError.notSignedIn.nsError() }
    try await asAuthErrors { () async throws(ClientError) in
      try await person.revokeApple(authorizationCode: authorizationCode)
    }
  }

  public func revokeToken(
    withAuthorizationCode authorizationCode: String, completion: (((any Error)?) -> Void)? = nil
  ) {
    completing(completion) {
      try await self.revokeToken(withAuthorizationCode: authorizationCode)
    }
  }
}
