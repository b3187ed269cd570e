import GatehouseClient

// Everything that begins or ends a session. The `async` form is the one that does it; the other
// calls its handler on the main actor.

extension Auth {
  /// Signs in with what a provider gave the app, a password, or a mailed link.
  ///
  /// - Throws: ``AuthErrorCode/accountExistsWithDifferentCredential`` where the email belongs to an
  ///   account that has to be entered another way first, with the address and an updated credential
  ///   in `userInfo`; ``AuthErrorCode/missingOrInvalidNonce``;
  ///   ``AuthErrorCode/invalidCredential``; ``AuthErrorCode/userDisabled``;
  ///   ``AuthErrorCode/operationNotAllowed`` where the project hasn't enabled the provider.
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

  /// Signs in by a browser: ``OAuthProvider``.
  ///
  /// On every platform, where Google's has it on iOS alone.
  ///
  /// - Throws: ``AuthErrorCode/webContextCancelled`` when the person closed the browser, and what
  ///   ``signIn(with:)`` throws.
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

  /// - Throws: ``AuthErrorCode/invalidCredential`` for a wrong address or password alike, where the
  ///   project protects against enumeration; otherwise ``AuthErrorCode/wrongPassword`` and
  ///   ``AuthErrorCode/userNotFound``. An empty password is never sent.
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

  /// - Parameter link: The whole link of the mail: ``isSignIn(withEmailLink:)`` tells whether it is
  ///   one.
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

  /// Whether `link` signs somebody in, also within another link (`link`, `deep_link_id`).
  public func isSignIn(withEmailLink link: String) -> Bool {
    guard let url = ActionCodeURL(link: link) else { return false }
    return url.operation == .emailLink && url.code != nil
  }

  /// Signs in without an account of the person's. Who is signed in anonymously already stays so.
  @discardableResult
  public func signInAnonymously() async throws -> AuthDataResult {
    try await dataResult { client throws(ClientError) in try await client.signInAnonymously() }
  }

  public func signInAnonymously(completion: ((AuthDataResult?, (any Error)?) -> Void)? = nil) {
    completing(completion) { try await self.signInAnonymously() }
  }

  /// Signs in with a token that the app's own back end made.
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

  /// Makes an account and signs in to it.
  ///
  /// - Throws: ``AuthErrorCode/emailAlreadyInUse``, ``AuthErrorCode/weakPassword``,
  ///   ``AuthErrorCode/invalidEmail``, ``AuthErrorCode/missingEmail``.
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

  /// Forgets the session of this device. Nothing happens where nobody is signed in.
  ///
  /// Asks nothing of the server. ``currentUser`` is nil when it returns; listeners follow.
  ///
  /// - Throws: ``AuthErrorCode/keychainError`` if the store can't be written: the person is still
  ///   signed in.
  public func signOut() throws {
    let client = self.client
    try asAuthErrors { () throws(ClientError) in try client.signOut() }
  }

  /// Makes `user`, of this or another `Auth` of the project, the one who is signed in here, once
  /// the server said that the session is good.
  ///
  /// - Throws: ``AuthErrorCode/tenantIDMismatch``; what ``User/reload()`` throws. Who is signed in
  ///   then stays.
  public func updateCurrentUser(_ user: User) async throws {
    guard user.tenantID == tenantID else { throw AuthErrorCode.tenantIDMismatch.error() }
    let client = self.client
    let person = user.person
    try await asAuthErrors { () async throws(ClientError) in try await client.adopt(person) }
  }

  /// As ``updateCurrentUser(_:)``; nil is refused as ``AuthErrorCode/nullUser``.
  public func updateCurrentUser(_ user: User?, completion: (((any Error)?) -> Void)? = nil) {
    completing(completion) {
      guard let user else { throw AuthErrorCode.nullUser.error() }
      try await self.updateCurrentUser(user)
    }
  }

  /// Does `work`, and gives its result the objects that apps know.
  private func dataResult(
    _ work: (AuthClient) async throws(ClientError) -> SignInResult
  ) async throws -> AuthDataResult {
    let client = self.client
    let result = try await asAuthErrors { () async throws(ClientError) in try await work(client) }
    return AuthDataResult(result, user: user(for: result.user))
  }
}

/// What a browser sign-in begins with, on its way to where it is done.
struct ProviderRequest: @unchecked Sendable {  // Sent, not shared.
  let provider: any FederatedAuthProvider
  let delegate: (any AuthUIDelegate)?
}
