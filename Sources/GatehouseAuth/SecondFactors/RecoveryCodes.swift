internal import GatehouseClient

// Gatehouse's own API: Firebase has no recovery codes, and no project that requires a second factor.

extension MultiFactor {
  /// How many recovery codes are left. Nil if the account has none.
  public var recoveryCodesLeft: Int? { person?.snapshot.recoveryCodesLeft }

  /// As ``enroll(with:displayName:)``.
  ///
  /// - Returns: The account's recovery codes, if it had none before: each signs in once in place of a
  ///   factor. Show them to the user now; the server can't show them again.
  public func enrollReturningRecoveryCodes(
    with assertion: MultiFactorAssertion, displayName: String?
  ) async throws -> [String] {
    try await enrollment(with: assertion, displayName: displayName).recoveryCodes
  }

  /// Creates recovery codes in place of the ones that the account has.
  ///
  /// - Returns: Ten codes. Show them to the user now; the server can't show them again.
  /// - Throws: ``AuthErrorCode/requiresRecentLogin`` unless the user signed in recently, with a second
  ///   factor.
  public func createRecoveryCodes() async throws -> [String] {
    let person = try requirePerson()
    return try await asAuthErrors { () async throws(ClientError) in
      try await person.createRecoveryCodes()
    }
  }
}

extension MultiFactorResolver {
  /// How many recovery codes are left. Nil if the account has none.
  public var recoveryCodesLeft: Int? { value.recoveryCodesLeft }

  /// Whether the project requires a second factor, and the account has none. Then ``hints`` is empty: use
  /// ``session`` to add one, and pass the assertion for the enrollment to
  /// ``resolveSignIn(with:)``.
  public var isEnrollmentRequired: Bool { value.isEnrollmentRequired }

  /// Ends the sign-in with a recovery code, which can't be used again.
  ///
  /// - Throws: ``AuthErrorCode/internalError`` with `INVALID_RECOVERY_CODE` for a wrong code.
  @discardableResult
  public func resolveSignIn(withRecoveryCode code: String) async throws -> AuthDataResult {
    let value = self.value
    return data(
      try await asAuthErrors { () async throws(ClientError) in
        try await value.resolve(with: .recoveryCode(code))
      })
  }

  /// As ``resolveSignIn(with:)`` with the first factor of an account whose project requires one.
  ///
  /// - Returns: Also the account's recovery codes; see ``MultiFactor/createRecoveryCodes()``.
  public func enroll(
    with assertion: MultiFactorAssertion, displayName: String?
  ) async throws -> (result: AuthDataResult, recoveryCodes: [String]) {
    let (value, factor) = (self.value, try assertion.newFactor())
    let enrollment = try await asAuthErrors { () async throws(ClientError) in
      try await value.session.enroll(factor, displayName: displayName)
    }
    return (data(enrollment.result), enrollment.recoveryCodes)
  }
}
