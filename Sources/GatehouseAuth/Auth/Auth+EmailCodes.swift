public import GatehouseClient

// Gatehouse's own API: six digits in an email, which the user types in the app. Firebase sends only
// links.

extension Auth {
  /// Sends an email with a link and six digits, either of which resets the password.
  ///
  /// The `actionCode(digits:)` of the returned session returns the code for the digits, for
  /// ``verifyPasswordResetCode(_:)`` and ``confirmPasswordReset(withCode:newPassword:)``.
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

  /// Sends an email with a link and six digits, either of which signs the user in. For the digits,
  /// use ``EmailAuthProvider/credential(withEmail:digits:of:)``.
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
