extension AuthClient {
  /// Sends an email with a link that resets the password.
  @concurrent public func sendPasswordReset(to email: String, settings: ActionLinkSettings? = nil)
    async throws(ClientError)
  { _ = try await send(SendOobCodeCall(purpose: .passwordReset(email: email), settings: settings)) }

  /// Sends an email with a link and six digits, either of which resets the password.
  ///
  /// If the project has email enumeration protection, an unknown address gets no email, and this
  /// returns a session whose digits were never sent.
  @concurrent public func sendPasswordResetCode(
    to email: String, settings: ActionLinkSettings? = nil
  ) async throws(ClientError) -> EmailCodeSession {
    try await send(
      SendOobCodeCall(purpose: .passwordReset(email: email), settings: settings, isTyped: true)
    ).session()
  }

  @concurrent public func sendSignInLink(to email: String, settings: ActionLinkSettings)
    async throws(ClientError)
  { _ = try await send(SendOobCodeCall(purpose: .signIn(email: email), settings: settings)) }

  /// Sends an email with a link and six digits, either of which signs the user in. For the digits,
  /// use ``Credential/emailCode(email:code:)``.
  @concurrent public func sendSignInCode(
    to email: String, settings: ActionLinkSettings? = nil
  ) async throws(ClientError) -> EmailCodeSession {
    try await send(
      SendOobCodeCall(purpose: .signIn(email: email), settings: settings, isTyped: true)
    ).session()
  }

  /// Sends a code to a phone number by text message.
  ///
  /// - Parameter phoneNumber: Begins with `+` and the country calling code; spaces and hyphens are
  ///   allowed.
  /// - Returns: The verification id for ``Credential/phone(verificationID:code:)``. It is valid for
  ///   ten minutes.
  /// - Throws: ``ClientError/server(_:)`` with `INVALID_PHONE_NUMBER`, `QUOTA_EXCEEDED`,
  ///   `TOO_MANY_ATTEMPTS_TRY_LATER`, and `OPERATION_NOT_ALLOWED` if the project doesn't allow
  ///   sign-in by phone number, or sends no messages to numbers with this prefix.
  @concurrent public func sendVerificationCode(to phoneNumber: String) async throws(ClientError)
    -> String
  {
    try await send(SendVerificationCodeCall(phoneNumber: phoneNumber))
  }

  /// Finds out what a code is for. The code stays valid.
  @concurrent public func check(actionCode: String) async throws(ClientError) -> ActionCodeContents
  {
    try await send(ResetPasswordCall(code: actionCode))
  }

  @concurrent public func apply(actionCode: String) async throws(ClientError) {
    try await send(ApplyCodeCall(code: actionCode))
  }

  @concurrent public func resetPassword(code: String, newPassword: String) async throws(ClientError)
  {
    _ = try await send(ResetPasswordCall(code: code, newPassword: newPassword))
  }

  /// The sign-in methods of the account with this email address. Empty if the project has email
  /// enumeration protection.
  @concurrent public func signInMethods(for email: String) async throws(ClientError) -> [String] {
    try await send(CreateAuthURICall(email: email))
  }

  private func send<Call: ServerCall>(_ call: Call) async throws(ClientError) -> Call.Answer {
    do { return try await core.api.send(call) } catch { throw ClientError(error) }
  }
}
