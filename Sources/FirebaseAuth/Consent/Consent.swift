public import GatehouseClient

// Gatehouse's own API: Firebase has no projects that require consent.

extension Auth {
  /// Signs in with the user's consent, for a project that requires it before identities are linked.
  ///
  /// - Parameters:
  ///   - credential: After a refusal, the credential under
  ///     ``AuthErrors/userInfoUpdatedCredentialKey``.
  ///   - consent: What the user agreed to: the items of ``AuthErrors/userInfoConsentJoinsKey``, as
  ///     the user was asked.
  /// - Throws: The errors of ``signIn(with:)``.
  @discardableResult
  public func signIn(
    with credential: AuthCredential, consent: Consent
  ) async throws -> AuthDataResult {
    let proof = try credential.clientCredential()
    let client = self.client
    let result = try await asAuthErrors { () async throws(ClientError) in
      try await client.signIn(with: proof, consent: consent)
    }
    return AuthDataResult(result, user: user(for: result.user))
  }
}

extension User {
  /// Links with the user's consent, for a project that requires it before identities are linked.
  ///
  /// - Parameters:
  ///   - credential: After a refusal, the credential under
  ///     ``AuthErrors/userInfoUpdatedCredentialKey``.
  ///   - consent: What the user agreed to: the items of ``AuthErrors/userInfoConsentJoinsKey``, as
  ///     the user was asked.
  /// - Throws: The errors of ``link(with:)``.
  @discardableResult
  public func link(
    with credential: AuthCredential, consent: Consent
  ) async throws -> AuthDataResult {
    let proof = try credential.clientCredential()
    let person = self.person
    let result = try await asAuthErrors { () async throws(ClientError) in
      try await person.link(proof, consent: consent)
    }
    return AuthDataResult(result, user: self)
  }

  /// Gives the account a phone number with the user's consent, for a project that requires it
  /// before identities are linked.
  ///
  /// - Throws: The errors of ``updatePhoneNumber(_:)``.
  public func updatePhoneNumber(
    _ credential: PhoneAuthCredential, consent: Consent
  ) async throws {
    try await setPhoneNumber(credential, consent: consent)
  }
}
