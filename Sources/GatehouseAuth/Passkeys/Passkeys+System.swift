#if canImport(AuthenticationServices) && !os(watchOS)
  public import AuthenticationServices
  import GatehouseClient
  import GatehouseProtocol

  extension Auth {
    /// The request for the system's sheet. Pass the sheet's credential to
    /// ``finalizePasskeySignIn(withPlatformCredential:)``.
    ///
    /// - Throws: ``AuthErrorCode/operationNotAllowed`` if the project has no passkeys.
    @available(tvOS 16, *)
    public func startPasskeySignIn() async throws
      -> ASAuthorizationPlatformPublicKeyCredentialAssertionRequest
    {
      let client = self.client
      let request = try await asAuthErrors { () async throws(ClientError) in
        try await client.startPasskeySignIn()
      }
      return ASAuthorizationPlatformPublicKeyCredentialProvider(
        relyingPartyIdentifier: request.relyingPartyID
      ).createCredentialAssertionRequest(challenge: request.challenge)
    }

    /// Signs in with the credential of the system's sheet.
    ///
    /// - Throws: ``AuthErrorCode/missingPasskeyEnrollment`` for a passkey that no account has;
    ///   ``AuthErrorCode/invalidAuthenticatorResponse``; ``AuthErrorCode/secondFactorRequired`` for an
    ///   account with a second factor, if the device didn't verify the user.
    @available(tvOS 16, *)
    public func finalizePasskeySignIn(
      withPlatformCredential credential: ASAuthorizationPlatformPublicKeyCredentialAssertion
    ) async throws -> AuthDataResult {
      let client = self.client
      let assertion = PasskeyAssertion(credential)
      let result = try await asAuthErrors { () async throws(ClientError) in
        try await client.signIn(with: .passkey(assertion))
      }
      return AuthDataResult(result, user: user(for: result.user))
    }
  }

  extension User {
    /// The request for the system's sheet. Pass the sheet's credential to
    /// ``finalizePasskeyEnrollment(withPlatformCredential:)``.
    ///
    /// - Parameter name: The name of the passkey, in the sheet too. Nil: the account's address or name.
    /// - Throws: ``AuthErrorCode/requiresRecentLogin``, ``AuthErrorCode/operationNotAllowed``.
    @available(tvOS 16, *)
    public func startPasskeyEnrollment(withName name: String?) async throws
      -> ASAuthorizationPlatformPublicKeyCredentialRegistrationRequest
    {
      let person = self.person
      let creation = try await asAuthErrors { () async throws(ClientError) in
        try await person.startPasskeyEnrollment()
      }
      let name = name.flatMap { $0.isEmpty ? nil : $0 }
      passkeyName.withLock { $0 = name }
      return ASAuthorizationPlatformPublicKeyCredentialProvider(
        relyingPartyIdentifier: creation.relyingPartyID
      ).createCredentialRegistrationRequest(
        challenge: creation.challenge, name: name ?? creation.userName,
        userID: creation.userHandle)
    }

    /// Adds the passkey of the system's sheet to the account.
    ///
    /// - Throws: ``AuthErrorCode/invalidAuthenticatorResponse``, before a request is sent for a credential
    ///   without an attestation; ``AuthErrorCode/requiresRecentLogin``.
    @available(tvOS 16, *)
    @discardableResult
    public func finalizePasskeyEnrollment(
      withPlatformCredential credential: ASAuthorizationPlatformPublicKeyCredentialRegistration
    ) async throws -> AuthDataResult {
      guard let registration = PasskeyRegistration(credential) else {
        throw AuthErrorCode.invalidAuthenticatorResponse.error()
      }
      let (person, name) = (self.person, passkeyName.withLock { $0 })
      try await asAuthErrors { () async throws(ClientError) in
        try await person.addPasskey(registration, name: name)
      }
      passkeyName.withLock { $0 = nil }
      return AuthDataResult(user: self, additionalUserInfo: nil, credential: nil)
    }
  }
#endif
