import GatehouseClient

// Changes of the account. Functions that throw `requiresRecentLogin` need a recent sign-in: by
// default in the last five minutes, by the server's clock.

extension User {
  /// Fetches the profile from the server.
  ///
  /// - Throws: The errors of ``getIDToken(forcingRefresh:)``.
  public func reload() async throws {
    let person = self.person
    try await asAuthErrors { () async throws(ClientError) in try await person.reload() }
    forgetLocalProfile()
  }

  public func reload(completion: (((any Error)?) -> Void)? = nil) {
    completing(completion) { try await self.reload() }
  }

  /// Sets or changes the account's email address, without verifying it first. This signs out the
  /// user's other devices.
  ///
  /// - Throws: ``AuthErrorCode/requiresRecentLogin``, ``AuthErrorCode/emailAlreadyInUse``,
  ///   ``AuthErrorCode/invalidEmail``; ``AuthErrorCode/operationNotAllowed`` for a first or new
  ///   address if the project has email enumeration protection. After ``AuthErrorCode/networkError`` the
  ///   address may have changed. Then the session has ended, and the user has to sign in again.
  @available(
    *, deprecated,
    message: "Use sendEmailVerification(beforeUpdatingEmail:): it verifies the new address first."
  )
  public func updateEmail(to email: String) async throws { try await setEmail(email) }

  @available(
    *, deprecated,
    message: "Use sendEmailVerification(beforeUpdatingEmail:): it verifies the new address first."
  )
  public func updateEmail(to email: String, completion: (((any Error)?) -> Void)? = nil) {
    completing(completion) { try await self.setEmail(email) }
  }

  private func setEmail(_ email: String) async throws {
    let person = self.person
    try await asAuthErrors { () async throws(ClientError) in try await person.update(email: email) }
  }

  /// Sets or changes the password. This signs out the user's other devices.
  ///
  /// - Throws: ``AuthErrorCode/weakPassword``, also for an empty password, which is never sent;
  ///   ``AuthErrorCode/passwordDoesNotMeetRequirements``; ``AuthErrorCode/missingEmail`` for an account
  ///   without an address; ``AuthErrorCode/operationNotAllowed`` if the project has no sign-in with
  ///   passwords; ``AuthErrorCode/requiresRecentLogin``. After ``AuthErrorCode/networkError`` the password may have
  ///   changed. Then the session has ended, and the user has to sign in with the new password.
  public func updatePassword(to password: String) async throws {
    if password.isEmpty { throw AuthErrorCode.missingPassword }
    let person = self.person
    try await asAuthErrors { () async throws(ClientError) in
      try await person.update(password: password)
    }
  }

  public func updatePassword(to password: String, completion: (((any Error)?) -> Void)? = nil) {
    completing(completion) { try await self.updatePassword(to: password) }
  }

  /// Gives the account a phone number, or replaces its number.
  ///
  /// - Throws: ``AuthErrorCode/invalidVerificationCode``, ``AuthErrorCode/sessionExpired``;
  ///   ``AuthErrorCode/credentialAlreadyInUse`` if another account has the number, with an updated
  ///   credential in `userInfo` that signs in to that account;
  ///   ``AuthErrorCode/requiresRecentLogin`` if a number would be replaced.
  public func updatePhoneNumber(_ credential: PhoneAuthCredential) async throws {
    try await setPhoneNumber(credential, consent: nil)
  }

  func setPhoneNumber(_ credential: PhoneAuthCredential, consent: Consent?) async throws {
    let proof = try credential.phoneCredential()
    let person = self.person
    try await asAuthErrors { () async throws(ClientError) in
      try await person.updatePhoneNumber(proof, consent: consent)
    }
  }

  public func updatePhoneNumber(
    _ credential: PhoneAuthCredential, completion: (((any Error)?) -> Void)? = nil
  ) {
    completing(completion) { try await self.updatePhoneNumber(credential) }
  }

  /// Sends an email with a link that verifies the account's address.
  public func sendEmailVerification(
    with actionCodeSettings: ActionCodeSettings? = nil
  ) async throws {
    try await sendVerification(actionCodeSettings?.linkSettings)
  }

  public func sendEmailVerification(
    with actionCodeSettings: ActionCodeSettings? = nil, completion: (((any Error)?) -> Void)? = nil
  ) {
    let settings = actionCodeSettings?.linkSettings
    completing(completion) { try await self.sendVerification(settings) }
  }

  /// The Objective-C function without settings.
  public func __sendEmailVerification(withCompletion completion: (((any Error)?) -> Void)?) {
    sendEmailVerification(completion: completion)
  }

  private func sendVerification(_ settings: ActionLinkSettings?) async throws {
    let person = self.person
    try await asAuthErrors { () async throws(ClientError) in
      try await person.sendEmailVerification(settings: settings)
    }
  }

  /// Sends an email with a link to `newEmail`. When the user follows the link, `newEmail` becomes
  /// the account's address, and all sessions of the account end, on this device too.
  ///
  /// - Throws: ``AuthErrorCode/requiresRecentLogin``, ``AuthErrorCode/emailAlreadyInUse``.
  public func sendEmailVerification(
    beforeUpdatingEmail newEmail: String, actionCodeSettings: ActionCodeSettings? = nil
  ) async throws {
    try await sendVerification(of: newEmail, actionCodeSettings?.linkSettings)
  }

  public func sendEmailVerification(
    beforeUpdatingEmail email: String, actionCodeSettings: ActionCodeSettings? = nil,
    completion: (((any Error)?) -> Void)? = nil
  ) {
    let settings = actionCodeSettings?.linkSettings
    completing(completion) { try await self.sendVerification(of: email, settings) }
  }

  /// The Objective-C function without settings.
  public func __sendEmailVerificationBeforeUpdating(
    email: String, completion: (((any Error)?) -> Void)?
  ) {
    sendEmailVerification(beforeUpdatingEmail: email, completion: completion)
  }

  private func sendVerification(of email: String, _ settings: ActionLinkSettings?) async throws {
    let person = self.person
    try await asAuthErrors { () async throws(ClientError) in
      try await person.sendEmailVerification(beforeUpdatingTo: email, settings: settings)
    }
  }

  /// Deletes the account. No user is signed in when it returns. If the project has a grace period
  /// for deletions, the user can keep the account by signing in again until it ends.
  ///
  /// The server then revokes the providers' tokens that it keeps. If it keeps none, revoke them
  /// before: for Apple with ``Auth/revokeToken(withAuthorizationCode:)``.
  ///
  /// - Throws: ``AuthErrorCode/requiresRecentLogin``.
  public func delete() async throws {
    let person = self.person
    _ = try await asAuthErrors { () async throws(ClientError) in try await person.delete() }
  }

  public func delete(completion: (((any Error)?) -> Void)? = nil) {
    completing(completion) { try await self.delete() }
  }
}
