import GatehouseClient

// Proving again who one is, and other ways to sign in to the account.

extension User {
  /// Proves again who the person is, for what asks for a recent sign-in.
  ///
  /// - Throws: ``AuthErrorCode/userMismatch`` where the credential is another account's or nobody's,
  ///   which Google's `async` form doesn't throw. This user stays signed in.
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

  /// Proves it in a browser.
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

  /// Adds a way to sign in to this account. An anonymous account becomes the person's by it.
  ///
  /// - Throws: ``AuthErrorCode/credentialAlreadyInUse`` and ``AuthErrorCode/emailAlreadyInUse``
  ///   where it is another account's: `userInfo` then has an updated credential, which signs in to
  ///   that one without asking the person again. ``AuthErrorCode/providerAlreadyLinked``, without
  ///   sending anything, where this account has one of that provider.
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

  /// Adds one by a browser.
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

  /// Takes a way to sign in away.
  ///
  /// - Parameter provider: Like `google.com`, or `password`.
  /// - Throws: ``AuthErrorCode/noSuchProvider``, without sending anything, where the account has
  ///   none of that provider.
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
