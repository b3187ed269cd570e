import GatehouseClient

// Re-authentication, linking and unlinking.

extension User {
  /// Authenticates the user again, for operations that require a recent sign-in.
  ///
  /// - Throws: ``AuthErrorCode/userMismatch`` if the credential belongs to another account or to
  ///   none; this user stays signed in. The `async` form of Google's SDK doesn't throw it.
  ///   ``AuthErrorCode/missingOrInvalidNonce`` for a provider's token that was used before.
  @discardableResult
  public func reauthenticate(with credential: AuthCredential) async throws -> AuthDataResult {
    try credential.checkPassword()
    let proof = try credential.clientCredential()
    let person = self.person
    let result = try await asAuthErrors { () async throws(ClientError) in
      try await person.reauthenticate(with: proof)
    }
    return AuthDataResult(result, user: self)
  }

  public func reauthenticate(
    with credential: AuthCredential, completion: ((AuthDataResult?, (any Error)?) -> Void)? = nil
  ) {
    completing(completion) { try await self.reauthenticate(with: credential) }
  }

  /// Re-authenticates in a browser.
  @discardableResult
  public func reauthenticate(
    with provider: any FederatedAuthProvider, uiDelegate: (any AuthUIDelegate)?
  ) async throws -> AuthDataResult {
    try await reauthenticate(with: try await provider.credential(with: uiDelegate))
  }

  public func reauthenticate(
    with provider: any FederatedAuthProvider, uiDelegate: (any AuthUIDelegate)?,
    completion: ((AuthDataResult?, (any Error)?) -> Void)? = nil
  ) {
    let request = ProviderRequest(provider: provider, delegate: uiDelegate)
    completing(completion) {
      try await self.reauthenticate(with: request.provider, uiDelegate: request.delegate)
    }
  }

  /// Links a credential to this account. An anonymous account becomes permanent.
  ///
  /// - Throws: ``AuthErrorCode/credentialAlreadyInUse`` and ``AuthErrorCode/emailAlreadyInUse`` if
  ///   the credential belongs to another account: `userInfo` then has an updated credential, which
  ///   signs in to that account without asking the user again.
  ///   ``AuthErrorCode/providerAlreadyLinked`` if this account already has an identity of that provider;
  ///   no request is sent if the profile shows it. ``AuthErrorCode/missingOrInvalidNonce``,
  ///   ``AuthErrorCode/invalidCredential``, and for a password the errors of
  ///   ``Auth/createUser(withEmail:password:)``. ``AuthErrorCode/requiresRecentLogin`` for a password, for
  ///   an address in place of another one, and if the project requires it for every link.
  ///   ``AuthErrorCode/internalError`` with ``AuthErrors/userInfoConsentJoinsKey`` if the project requires
  ///   the user's consent.
  @discardableResult
  public func link(with credential: AuthCredential) async throws -> AuthDataResult {
    try credential.checkPassword()
    let proof = try credential.clientCredential()
    let person = self.person
    let result = try await asAuthErrors { () async throws(ClientError) in
      try await person.link(proof)
    }
    return AuthDataResult(result, user: self)
  }

  public func link(
    with credential: AuthCredential, completion: ((AuthDataResult?, (any Error)?) -> Void)? = nil
  ) {
    completing(completion) { try await self.link(with: credential) }
  }

  /// Links in a browser.
  @discardableResult
  public func link(
    with provider: any FederatedAuthProvider, uiDelegate: (any AuthUIDelegate)?
  ) async throws -> AuthDataResult {
    try await link(with: try await provider.credential(with: uiDelegate))
  }

  public func link(
    with provider: any FederatedAuthProvider, uiDelegate: (any AuthUIDelegate)?,
    completion: ((AuthDataResult?, (any Error)?) -> Void)? = nil
  ) {
    let request = ProviderRequest(provider: provider, delegate: uiDelegate)
    completing(completion) {
      try await self.link(with: request.provider, uiDelegate: request.delegate)
    }
  }

  /// Removes a sign-in method from this account.
  ///
  /// - Parameter provider: The provider's id, like `google.com` or `password`.
  /// - Throws: ``AuthErrorCode/noSuchProvider``, before a request is sent, if the account doesn't
  ///   have this sign-in method; ``AuthErrorCode/requiresRecentLogin``;
  ///   ``AuthErrorCode/operationNotAllowed`` if it is the last one, and the project's policy keeps it.
  @discardableResult
  public func unlink(fromProvider provider: String) async throws -> User {
    let person = self.person
    let provider = Provider(provider)
    guard person.snapshot.provider(provider) != nil else {
      throw AuthErrorCode.noSuchProvider.error()
    }
    _ = try await asAuthErrors { () async throws(ClientError) in try await person.unlink(provider) }
    return self
  }

  public func unlink(
    fromProvider provider: String, completion: ((User?, (any Error)?) -> Void)? = nil
  ) {
    completing(completion) { try await self.unlink(fromProvider: provider) }
  }
}
