public import GatehouseClient

// Gatehouse's own API: a project of Firebase can't require consent.

extension Auth {
  /// Signs in with the user's consent, for a project that requires it before identities are linked.
  ///
  /// - Parameters:
  ///   - credential: The credential under ``AuthErrors/userInfoUpdatedCredentialKey``, if the error
  ///     has one.
  ///   - consent: The version of the text that the user agreed to, and the items that it listed:
  ///     those under ``AuthErrors/userInfoConsentJoinsKey``.
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
  ///   - credential: The credential under ``AuthErrors/userInfoUpdatedCredentialKey``, if the error
  ///     has one.
  ///   - consent: The version of the text that the user agreed to, and the items that it listed:
  ///     those under ``AuthErrors/userInfoConsentJoinsKey``.
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
