import GatehouseProtocol

extension AuthClient {
  /// Begins a sign-in with a passkey. The device's answer is the ``Credential/passkey(_:)`` of a sign-in.
  ///
  /// - Parameter email: The address of the user, if it is known. Nil lets the user choose one of the
  ///   device's passkeys.
  /// - Throws: ``ClientError/server(_:)`` with `OPERATION_NOT_ALLOWED` if the project has no passkeys.
  @concurrent public func startPasskeySignIn(
    email: String? = nil
  ) async throws(ClientError) -> PasskeyRequest {
    do {
      return try await core.api.send(
        StartPasskeySignInCall(request: StartPasskeySignInRequest(email: email)))
    } catch {
      throw ClientError(error)
    }
  }

  /// Begins the creation of an account with a passkey.
  ///
  /// - Parameters:
  ///   - email: The address of the new account, which has to be verified later.
  ///   - displayName: The name of the user.
  @concurrent public func startPasskeyAccount(
    email: String? = nil, displayName: String = ""
  ) async throws(ClientError) -> PasskeyCreation {
    var request = StartPasskeyEnrollmentRequest(idToken: nil)
    request.email = email
    request.displayName = displayName
    do {
      return try await core.api.send(StartPasskeyEnrollmentCall(request: request))
    } catch {
      throw ClientError(error)
    }
  }

  /// Creates an account with the passkey that the device created for ``startPasskeyAccount(email:displayName:)``,
  /// and signs in to it.
  ///
  /// - Parameters:
  ///   - name: What the user calls the passkey.
  ///   - email: The address of the account, if ``startPasskeyAccount(email:displayName:)`` had none.
  ///   - displayName: The user's name, likewise.
  /// - Throws: ``ClientError/credentialInUse(updated:email:code:)`` with `EMAIL_EXISTS`;
  ///   ``ClientError/server(_:)`` with `INVALID_AUTHENTICATOR_RESPONSE`, …
  @discardableResult
  @concurrent public func createUser(
    with registration: PasskeyRegistration, name: String? = nil, email: String? = nil,
    displayName: String? = nil
  ) async throws(ClientError) -> SignInResult {
    var request = registration.request
    request.name = name
    request.email = email
    request.displayName = displayName
    let call = FinalizePasskeyEnrollmentCall(request: request)
    return try await core.signIn(.passkey) { (api) throws(CallError) in
      NewableSignIn(answer: try await api.send(call), isNewUser: true)
    }
  }
}

extension SignedInUser {
  /// Begins the addition of a passkey. Needs a recent sign-in.
  public func startPasskeyEnrollment() async throws(ClientError) -> PasskeyCreation {
    try await call {
      StartPasskeyEnrollmentCall(request: StartPasskeyEnrollmentRequest(idToken: $0))
    }
  }

  /// Adds the passkey that the device created for ``startPasskeyEnrollment()``.
  ///
  /// - Parameter name: What the user calls the passkey. Nil: the server chooses a name.
  /// - Throws: ``ClientError/needsRecentSignIn(providers:)``; ``ClientError/server(_:)`` with
  ///   `INVALID_AUTHENTICATOR_RESPONSE`, `CREDENTIAL_ALREADY_IN_USE`, …
  public func addPasskey(
    _ registration: PasskeyRegistration, name: String? = nil
  ) async throws(ClientError) {
    var request = registration.request
    request.name = name
    try await endingSession { () async throws(ClientError) in
      let answer = try await call { idToken in
        var request = request
        request.idToken = idToken
        return FinalizePasskeyEnrollmentCall(request: request)
      }
      try await hold(try checked(try answer.tokens(or: waiting(.passkey))))
    }
  }

  /// Begins a re-authentication with one of the account's passkeys. The device's answer is the
  /// ``Credential/passkey(_:)`` of ``reauthenticate(with:)``.
  ///
  /// - Throws: ``ClientError/server(_:)`` with `PASSKEY_ENROLLMENT_NOT_FOUND` if the account has none.
  public func startPasskeyReauthentication() async throws(ClientError) -> PasskeyRequest {
    try await call { StartPasskeySignInCall(request: StartPasskeySignInRequest(idToken: $0)) }
  }

  /// Removes passkeys. Needs a recent sign-in.
  ///
  /// - Parameter ids: ``Passkey/id``. Unknown ones are ignored.
  /// - Throws: ``ClientError/needsRecentSignIn(providers:)``; ``ClientError/server(_:)`` with
  ///   `OPERATION_NOT_ALLOWED` for the last way to sign in.
  public func removePasskeys(_ ids: [String]) async throws(ClientError) {
    try await update(.removePasskeys(ids))
  }
}

extension SecondFactorResolver {
  /// Begins the use of a passkey as the second factor: see ``SecondFactorProof/passkey(_:)``.
  @concurrent public func startPasskey() async throws(ClientError) -> PasskeyRequest {
    do {
      return try await waiting.core.api.send(
        StartPasskeySignInCall(
          request: StartPasskeySignInRequest(pendingCredential: credential)))
    } catch {
      throw ClientError(error, waiting.user?.context() ?? RefusalContext())
    }
  }
}
