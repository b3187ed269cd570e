public import GatehouseClient

// Gatehouse's own API: six digits in an email, which the user types in the app. Firebase sends only
// links.

extension User {
  /// Sends an email with a link and six digits, either of which verifies the account's address. For
  /// the digits, pass the result of the session's `actionCode(digits:)` to
  /// ``Auth/applyActionCode(_:)``.
  public func sendEmailVerificationCode(
    with actionCodeSettings: ActionCodeSettings? = nil
  ) async throws -> EmailCodeSession {
    let person = self.person
    let settings = actionCodeSettings?.linkSettings
    return try await asAuthErrors { () async throws(ClientError) in
      try await person.sendEmailVerificationCode(settings: settings)
    }
  }

  /// Sends an email with a link and six digits to `newEmail`. When the user uses either, `newEmail`
  /// becomes the account's address, and all sessions of the account end, on this device too. For the
  /// digits, pass the result of the session's `actionCode(digits:)` to ``Auth/applyActionCode(_:)``.
  ///
  /// - Throws: ``AuthErrorCode/requiresRecentLogin``, ``AuthErrorCode/emailAlreadyInUse``.
  public func sendEmailVerificationCode(
    beforeUpdatingEmail newEmail: String, actionCodeSettings: ActionCodeSettings? = nil
  ) async throws -> EmailCodeSession {
    let person = self.person
    let settings = actionCodeSettings?.linkSettings
    return try await asAuthErrors { () async throws(ClientError) in
      try await person.sendEmailVerificationCode(beforeUpdatingTo: newEmail, settings: settings)
    }
  }
}
