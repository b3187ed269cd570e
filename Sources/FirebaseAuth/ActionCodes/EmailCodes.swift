public import GatehouseClient

// Gatehouse's own API: six digits in an email, which the user types in the app. Firebase sends only
// links.

extension Auth {
  /// Sends an email with a link and six digits, either of which resets the password.
  ///
  /// Use the digits with ``verifyPasswordResetCode(_:)`` and
  /// ``confirmPasswordReset(withCode:newPassword:)``; the session makes a code of them.
  ///
  /// - Throws: The errors of ``sendPasswordReset(withEmail:actionCodeSettings:)``.
  public func sendPasswordResetCode(
    withEmail email: String, actionCodeSettings: ActionCodeSettings? = nil
  ) async throws -> EmailCodeSession {
    let client = self.client
    let settings = actionCodeSettings?.linkSettings
    return try await asAuthErrors { () async throws(ClientError) in
      try await client.sendPasswordResetCode(to: email, settings: settings)
    }
  }

  /// Sends an email with a link and six digits, either of which signs in: the digits with
  /// ``EmailAuthProvider/credential(withEmail:digits:of:)``.
  public func sendSignInCode(
    toEmail email: String, actionCodeSettings: ActionCodeSettings? = nil
  ) async throws -> EmailCodeSession {
    let client = self.client
    let settings = actionCodeSettings?.linkSettings
    return try await asAuthErrors { () async throws(ClientError) in
      try await client.sendSignInCode(to: email, settings: settings)
    }
  }
}

extension User {
  /// Sends an email with a link and six digits, either of which verifies the account's address: the
  /// digits with ``Auth/applyActionCode(_:)``.
  public func sendEmailVerificationCode(
    with actionCodeSettings: ActionCodeSettings? = nil
  ) async throws -> EmailCodeSession {
    let person = self.person
    let settings = actionCodeSettings?.linkSettings
    return try await asAuthErrors { () async throws(ClientError) in
      try await person.sendEmailVerificationCode(settings: settings)
    }
  }

  /// Sends an email with a link and six digits to `newEmail`. Either makes it the account's address:
  /// the digits with ``Auth/applyActionCode(_:)``.
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

extension EmailAuthProvider {
  /// - Parameter session: The result of ``Auth/sendSignInCode(toEmail:actionCodeSettings:)``.
  /// - Throws: ``AuthErrorCode/invalidVerificationCode`` if there aren't six digits.
  public static func credential(
    withEmail email: String, digits: String, of session: EmailCodeSession
  ) throws -> AuthCredential {
    guard let code = try? session.actionCode(digits: digits) else {
      throw AuthErrorCode.invalidVerificationCode.error()
    }
    return EmailCredential(email: email, proof: .code(code))
  }
}
