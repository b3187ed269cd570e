import GatehouseProtocol

extension SignedInUser {
  /// Gives the account a phone number, replacing the one it has.
  ///
  /// - Throws: ``ClientError/phoneNumberInUse(updated:)`` if another account has the number;
  ///   ``ClientError/needsRecentSignIn(providers:)`` if a number would be replaced;
  ///   ``ClientError/consentRequired(joins:updated:)``, after which the same credential can be sent
  ///   again with the consent; ``ClientError/server(_:)`` with `INVALID_CODE`, `SESSION_EXPIRED`, …
  public func updatePhoneNumber(
    _ credential: PhoneCredential, consent: Consent? = nil
  ) async throws(ClientError) {
    try await setPhoneNumber(credential, as: .update, consent)
  }

  func setPhoneNumber(
    _ credential: PhoneCredential, as operation: SignInWithPhoneNumberRequest.Operation,
    _ consent: Consent?
  ) async throws(ClientError) {
    let answer = try await call {
      SignInWithPhoneNumberCall(
        credential: credential, operation: operation, idToken: $0, consent: consent)
    }
    try await hold(try answer.signIn().answer.tokens(or: waiting(.phone)))
  }
}
