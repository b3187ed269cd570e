public import GatehouseClient

// Gatehouse's own: Firebase has no project that asks for consent.

extension Auth {
  /// Signs in with what the person agreed to, for a project that asks before identities come
  /// together.
  ///
  /// - Parameters:
  ///   - credential: After a refusal the one under ``AuthErrors/userInfoUpdatedCredentialKey``.
  ///   - consent: What ``AuthErrors/userInfoConsentJoinsKey`` named, as the person was asked.
  /// - Throws: What ``signIn(with:)`` throws.
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
  /// Links with what the person agreed to, for a project that asks before identities come together.
  ///
  /// - Parameters:
  ///   - credential: After a refusal the one under ``AuthErrors/userInfoUpdatedCredentialKey``.
  ///   - consent: What ``AuthErrors/userInfoConsentJoinsKey`` named, as the person was asked.
  /// - Throws: What ``link(with:)`` throws.
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

  /// Gives the account a phone number with what the person agreed to, for a project that asks before
  /// identities come together.
  ///
  /// - Throws: What ``updatePhoneNumber(_:)`` throws.
  public func updatePhoneNumber(
    _ credential: PhoneAuthCredential, consent: Consent
  ) async throws {
    try await setPhoneNumber(credential, consent: consent)
  }
}
