import GatehouseClient

extension Auth {
  /// The current user's ID token, for other libraries. Nil without an error if no user is signed
  /// in.
  public func getToken(
    forcingRefresh forceRefresh: Bool,
    completion callback: @escaping (String?, (any Error)?) -> Void
  ) {
    let user = currentUser
    completing({ (token: String??, error: (any Error)?) in callback(token ?? nil, error) }) {
      try await user?.getIDToken(forcingRefresh: forceRefresh)
    }
  }

  /// Asks the server to revoke the tokens that Apple issued to the app, with the authorization code
  /// of a new sheet.
  ///
  /// Apple requires this when an app deletes an account. Apple accepts a code once, within five
  /// minutes. It is used up even if the revocation then fails.
  ///
  /// - Throws: ``AuthErrorCode/nullUser`` if no user is signed in. Google's function
  ///   then never returns.
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
