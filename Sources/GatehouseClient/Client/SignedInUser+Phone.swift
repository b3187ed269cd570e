extension SignedInUser {
  /// Gives the account a phone number, in place of the one that it has.
  ///
  /// - Throws: ``ClientError/phoneNumberInUse(updated:)`` where another account has the number;
  ///   ``ClientError/needsRecentSignIn(providers:)`` where one is replaced;
  ///   ``ClientError/consentRequired(joins:updated:)``, after which the same credential is good with
  ///   the consent; ``ClientError/server(_:)`` with `INVALID_CODE`, `SESSION_EXPIRED`, …
  public func updatePhoneNumber(
    _ credential: PhoneCredential, consent: Consent? = nil
  ) async throws(ClientError) {
    try await setPhoneNumber(credential, as: .update, consent)
  }

  func setPhoneNumber(
    _ credential: PhoneCredential, as operation: SignInWithPhoneNumberCall.Operation,
    _ consent: Consent?
  ) async throws(ClientError) {
    let answer = try await call {
      SignInWithPhoneNumberCall(
        credential: credential, operation: operation, idToken: $0, consent: consent)
    }
    try await hold(try answer.signIn().tokens)
  }
}
