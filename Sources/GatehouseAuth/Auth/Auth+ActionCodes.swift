import GatehouseClient

// The action codes that the server sends by email.

extension Auth {
  /// Sends an email with a link to choose a new password.
  ///
  /// If the project has email enumeration protection, an unknown address is not an error.
  ///
  /// - Throws: ``AuthErrorCode/userNotFound``, ``AuthErrorCode/invalidEmail``,
  ///   ``AuthErrorCode/unauthorizedDomain``, ``AuthErrorCode/invalidContinueURI``.
  public func sendPasswordReset(
    withEmail email: String, actionCodeSettings: ActionCodeSettings? = nil
  ) async throws {
    let client = self.client
    let settings = actionCodeSettings?.linkSettings
    try await asAuthErrors { () async throws(ClientError) in
      try await client.sendPasswordReset(to: email, settings: settings)
    }
  }

  public func sendPasswordReset(
    withEmail email: String, completion: (((any Error)?) -> Void)? = nil
  ) {
    sendPasswordReset(withEmail: email, actionCodeSettings: nil, completion: completion)
  }

  public func sendPasswordReset(
    withEmail email: String, actionCodeSettings: ActionCodeSettings?,
    completion: (((any Error)?) -> Void)? = nil
  ) {
    let client = self.client
    let settings = actionCodeSettings?.linkSettings
    completing(completion) {
      try await asAuthErrors { () async throws(ClientError) in
        try await client.sendPasswordReset(to: email, settings: settings)
      }
    }
  }

  /// Sends an email with a link that signs the user in.
  ///
  /// - Parameter actionCodeSettings: Needs `handleCodeInApp`, and a `url` of an authorized domain.
  public func sendSignInLink(
    toEmail email: String, actionCodeSettings: ActionCodeSettings
  ) async throws {
    let client = self.client
    let settings = actionCodeSettings.linkSettings
    try await asAuthErrors { () async throws(ClientError) in
      try await client.sendSignInLink(to: email, settings: settings)
    }
  }

  public func sendSignInLink(
    toEmail email: String, actionCodeSettings: ActionCodeSettings,
    completion: (((any Error)?) -> Void)? = nil
  ) {
    let client = self.client
    let settings = actionCodeSettings.linkSettings
    completing(completion) {
      try await asAuthErrors { () async throws(ClientError) in
        try await client.sendSignInLink(to: email, settings: settings)
      }
    }
  }

  /// Finds out what a code is for. The code stays valid.
  ///
  /// - Throws: ``AuthErrorCode/invalidActionCode``, ``AuthErrorCode/expiredActionCode``.
  public func checkActionCode(_ code: String) async throws -> ActionCodeInfo {
    ActionCodeInfo(try await contents(of: code))
  }

  public func checkActionCode(
    _ code: String, completion: @escaping (ActionCodeInfo?, (any Error)?) -> Void
  ) {
    completing(completion) { try await self.checkActionCode(code) }
  }

  /// The email address of the account whose password the code resets.
  ///
  /// - Throws: The errors of ``checkActionCode(_:)``. For a code with another purpose,
  ///   ``AuthErrorCode/invalidActionCode``.
  public func verifyPasswordResetCode(_ code: String) async throws -> String {
    let contents = try await contents(of: code)
    guard contents.requestType == "PASSWORD_RESET", let email = contents.email else {
      throw AuthErrorCode.invalidActionCode.error()
    }
    return email
  }

  public func verifyPasswordResetCode(
    _ code: String, completion: @escaping (String?, (any Error)?) -> Void
  ) {
    completing(completion) { try await self.verifyPasswordResetCode(code) }
  }

  /// Uses the code: verifies, changes or restores an address, as its purpose says.
  ///
  /// - Throws: The errors of ``checkActionCode(_:)``, ``AuthErrorCode/userDisabled``,
  ///   ``AuthErrorCode/emailAlreadyInUse``, and ``AuthErrorCode/userNotFound`` for the verification of an address
  ///   that the account gave up.
  public func applyActionCode(_ code: String) async throws {
    let client = self.client
    try await asAuthErrors { () async throws(ClientError) in
      try await client.apply(actionCode: code)
    }
  }

  public func applyActionCode(_ code: String, completion: @escaping ((any Error)?) -> Void) {
    completing(completion) { try await self.applyActionCode(code) }
  }

  /// Sets a new password with the code of a password reset.
  ///
  /// - Throws: ``AuthErrorCode/weakPassword``, ``AuthErrorCode/passwordDoesNotMeetRequirements``,
  ///   ``AuthErrorCode/userNotFound`` if the account gave up the address to which the code was sent, and the
  ///   errors of ``checkActionCode(_:)``.
  public func confirmPasswordReset(withCode code: String, newPassword: String) async throws {
    let client = self.client
    try await asAuthErrors { () async throws(ClientError) in
      try await client.resetPassword(code: code, newPassword: newPassword)
    }
  }

  public func confirmPasswordReset(
    withCode code: String, newPassword: String, completion: @escaping ((any Error)?) -> Void
  ) {
    completing(completion) {
      try await self.confirmPasswordReset(withCode: code, newPassword: newPassword)
    }
  }

  /// The sign-in methods of the account of `email`. Empty if the project has email enumeration
  /// protection, which is the default.
  @available(
    *, deprecated, message: "Empty if the project has email enumeration protection."
  )
  public func fetchSignInMethods(forEmail email: String) async throws -> [String] {
    try await signInMethods(of: email)
  }

  @available(
    *, deprecated, message: "Empty if the project has email enumeration protection."
  )
  public func fetchSignInMethods(
    forEmail email: String, completion: (([String]?, (any Error)?) -> Void)? = nil
  ) {
    completing(completion) { try await self.signInMethods(of: email) }
  }

  private func signInMethods(of email: String) async throws -> [String] {
    let client = self.client
    return try await asAuthErrors { () async throws(ClientError) in
      try await client.signInMethods(for: email)
    }
  }

  private func contents(of code: String) async throws -> ActionCodeContents {
    let client = self.client
    return try await asAuthErrors { () async throws(ClientError) in
      try await client.check(actionCode: code)
    }
  }
}
