import GatehouseClient

// Functions that begin or end a session. The `async` form does the work. The other form calls its
// handler on the main actor.

extension Auth {
  /// Signs in with a provider's credential, a password, an emailed link or code, or a phone number.
  ///
  /// - Throws:
  ///   - ``AuthErrorCode/accountExistsWithDifferentCredential`` if another account has the email.
  ///     The user must first sign in to that account with another method. `userInfo` contains the
  ///     email and an updated credential, which can then be linked.
  ///   - ``AuthErrorCode/operationNotAllowed`` if the project hasn't enabled the provider.
  ///   - ``AuthErrorCode/missingOrInvalidNonce``, ``AuthErrorCode/invalidCredential``,
  ///     ``AuthErrorCode/userDisabled``.
  @discardableResult
  public func signIn(with credential: AuthCredential) async throws -> AuthDataResult {
    try credential.checkPassword()
    let proof = try credential.clientCredential()
    return try await dataResult { client throws(ClientError) in
      try await client.signIn(with: proof)
    }
  }

  public func signIn(
    with credential: AuthCredential, completion: ((AuthDataResult?, (any Error)?) -> Void)? = nil
  ) {
    completing(completion) { try await self.signIn(with: credential) }
  }

  /// Opens the provider's page in a browser, and signs in with the result. See ``OAuthProvider``.
  ///
  /// Works on every platform. In Google's SDK this function exists only on iOS.
  ///
  /// - Throws: ``AuthErrorCode/webContextCancelled`` if the user closed the browser, and the errors
  ///   of ``signIn(with:)``.
  @discardableResult
  public func signIn(
    with provider: any FederatedAuthProvider, uiDelegate: (any AuthUIDelegate)?
  ) async throws -> AuthDataResult {
    try await signIn(with: try await provider.credential(with: uiDelegate))
  }

  public func signIn(
    with provider: any FederatedAuthProvider, uiDelegate: (any AuthUIDelegate)?,
    completion: ((AuthDataResult?, (any Error)?) -> Void)?
  ) {
    let request = ProviderRequest(provider: provider, delegate: uiDelegate)
    completing(completion) {
      try await self.signIn(with: request.provider, uiDelegate: request.delegate)
    }
  }

  /// Signs in with a password. An empty password is rejected without a request.
  ///
  /// - Throws: ``AuthErrorCode/invalidCredential`` for a wrong email and for a wrong password, if
  ///   the project has email enumeration protection. Otherwise ``AuthErrorCode/userNotFound`` for
  ///   the email and ``AuthErrorCode/wrongPassword`` for the password.
  @discardableResult
  public func signIn(withEmail email: String, password: String) async throws -> AuthDataResult {
    try await signIn(with: EmailAuthProvider.credential(withEmail: email, password: password))
  }

  public func signIn(
    withEmail email: String, password: String,
    completion: ((AuthDataResult?, (any Error)?) -> Void)? = nil
  ) {
    completing(completion) { try await self.signIn(withEmail: email, password: password) }
  }

  /// Signs in with the link of an email.
  ///
  /// - Parameter link: The whole link of the email. ``isSignIn(withEmailLink:)`` checks whether a
  ///   link is a sign-in link.
  /// - Throws: ``AuthErrorCode/invalidActionCode``, ``AuthErrorCode/expiredActionCode``,
  ///   ``AuthErrorCode/invalidEmail``.
  public func signIn(withEmail email: String, link: String) async throws -> AuthDataResult {
    try await signIn(with: EmailAuthProvider.credential(withEmail: email, link: link))
  }

  public func signIn(
    withEmail email: String, link: String,
    completion: ((AuthDataResult?, (any Error)?) -> Void)? = nil
  ) {
    completing(completion) { try await self.signIn(withEmail: email, link: link) }
  }

  /// Whether `link` is a sign-in link, or contains one (`link`, `deep_link_id`).
  public func isSignIn(withEmailLink link: String) -> Bool {
    guard let url = ActionCodeURL(link: link) else { return false }
    return url.operation == .emailLink && url.code != nil
  }

  /// Creates an anonymous account and signs in to it. If the current user is anonymous already, that
  /// user stays signed in and no account is created.
  @discardableResult
  public func signInAnonymously() async throws -> AuthDataResult {
    try await dataResult { client throws(ClientError) in try await client.signInAnonymously() }
  }

  public func signInAnonymously(completion: ((AuthDataResult?, (any Error)?) -> Void)? = nil) {
    completing(completion) { try await self.signInAnonymously() }
  }

  /// Signs in with a custom token, which the app's own back end created.
  ///
  /// - Throws: ``AuthErrorCode/invalidCustomToken``, ``AuthErrorCode/customTokenMismatch``.
  @discardableResult
  public func signIn(withCustomToken token: String) async throws -> AuthDataResult {
    try await dataResult { client throws(ClientError) in
      try await client.signIn(withCustomToken: token)
    }
  }

  public func signIn(
    withCustomToken token: String, completion: ((AuthDataResult?, (any Error)?) -> Void)? = nil
  ) {
    completing(completion) { try await self.signIn(withCustomToken: token) }
  }

  /// Creates an account and signs in to it.
  ///
  /// - Throws: ``AuthErrorCode/emailAlreadyInUse``, ``AuthErrorCode/weakPassword``,
  ///   ``AuthErrorCode/passwordDoesNotMeetRequirements``, ``AuthErrorCode/invalidEmail``,
  ///   ``AuthErrorCode/missingEmail``; ``AuthErrorCode/operationNotAllowed`` if the project has no sign-in
  ///   with passwords; ``AuthErrorCode/adminRestrictedOperation`` if only administrators create accounts.
  @discardableResult
  public func createUser(withEmail email: String, password: String) async throws -> AuthDataResult {
    if password.isEmpty { throw AuthErrorCode.missingPassword }
    if email.isEmpty { throw AuthErrorCode.missingEmail.error() }
    return try await dataResult { client throws(ClientError) in
      try await client.createUser(email: email, password: password)
    }
  }

  public func createUser(
    withEmail email: String, password: String,
    completion: ((AuthDataResult?, (any Error)?) -> Void)? = nil
  ) {
    completing(completion) { try await self.createUser(withEmail: email, password: password) }
  }

  /// Removes the session from this device. Does nothing if no user is signed in.
  ///
  /// Sends no request to the server. When this function returns, ``currentUser`` is nil. Listeners
  /// are called afterwards.
  ///
  /// - Throws: ``AuthErrorCode/keychainError`` if the store can't be written. The user then stays
  ///   signed in.
  public func signOut() throws {
    let client = self.client
    try asAuthErrors { () throws(ClientError) in try client.signOut() }
  }

  /// Makes `user` the current user, after the server has confirmed the session. `user` may come
  /// from another `Auth` of the project.
  ///
  /// - Throws: ``AuthErrorCode/tenantIDMismatch``, and the errors of ``User/reload()``. After an
  ///   error the current user stays the same.
  public func updateCurrentUser(_ user: User) async throws {
    guard user.tenantID == tenantID else { throw AuthErrorCode.tenantIDMismatch.error() }
    let client = self.client
    let person = user.person
    try await asAuthErrors { () async throws(ClientError) in try await client.adopt(person) }
  }

  /// As ``updateCurrentUser(_:)``; nil is rejected with ``AuthErrorCode/nullUser``.
  public func updateCurrentUser(_ user: User?, completion: (((any Error)?) -> Void)? = nil) {
    completing(completion) {
      guard let user else { throw AuthErrorCode.nullUser.error() }
      try await self.updateCurrentUser(user)
    }
  }

  /// Runs `work`, and converts its result to the types that apps use.
  private func dataResult(
    _ work: (AuthClient) async throws(ClientError) -> SignInResult
  ) async throws -> AuthDataResult {
    let client = self.client
    let result = try await asAuthErrors { () async throws(ClientError) in try await work(client) }
    return AuthDataResult(result, user: user(for: result.user))
  }
}

/// The values with which a browser sign-in begins, sent to the task that does it.
struct ProviderRequest: @unchecked Sendable {  // Sent, not shared.
  let provider: any FederatedAuthProvider
  let delegate: (any AuthUIDelegate)?
}
