import GatehouseClient

// Changes of the account. Each asks for a recent sign-in where it says so: five minutes, by the
// server's clock.

extension User {
  /// Asks the server for the profile.
  ///
  /// - Throws: As ``getIDToken(forcingRefresh:)``.
  public func reload() async throws {
    let person = self.person
    try await asAuthErrors { () async throws(ClientError) in try await person.reload() }
    forgetLocalProfile()
  }

  public func reload(completion: (((any Error)?) -> Void)? = nil) {
    completing(completion) { try await self.reload() }
  }

  /// - Throws: ``AuthErrorCode/requiresRecentLogin``, ``AuthErrorCode/emailAlreadyInUse``,
  ///   ``AuthErrorCode/invalidEmail``.
  @available(
    *, deprecated,
    message: "Use sendEmailVerification(beforeUpdatingEmail:), which proves the new address first."
  )
  public func updateEmail(to email: String) async throws { try await setEmail(email) }

  @available(
    *, deprecated,
    message: "Use sendEmailVerification(beforeUpdatingEmail:), which proves the new address first."
  )
  public func updateEmail(to email: String, completion: (((any Error)?) -> Void)? = nil) {
    completing(completion) { try await self.setEmail(email) }
  }

  private func setEmail(_ email: String) async throws {
    let person = self.person
    try await asAuthErrors { () async throws(ClientError) in try await person.update(email: email) }
  }

  /// Sets or changes the password. Other devices are signed out by it.
  ///
  /// - Throws: ``AuthErrorCode/weakPassword``, also for an empty one, which is never sent;
  ///   ``AuthErrorCode/requiresRecentLogin``.
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

  /// Gives the account a phone number, in place of the one that it has.
  ///
  /// - Throws: ``AuthErrorCode/invalidVerificationCode``, ``AuthErrorCode/sessionExpired``;
  ///   ``AuthErrorCode/credentialAlreadyInUse`` where another account has the number, with an updated
  ///   credential in `userInfo` that signs in to that one; ``AuthErrorCode/requiresRecentLogin`` where
  ///   a number is replaced.
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

  /// Mails a link that proves the account's address.
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

  /// What Objective-C calls without settings.
  public func __sendEmailVerification(withCompletion completion: (((any Error)?) -> Void)?) {
    sendEmailVerification(completion: completion)
  }

  private func sendVerification(_ settings: ActionLinkSettings?) async throws {
    let person = self.person
    try await asAuthErrors { () async throws(ClientError) in
      try await person.sendEmailVerification(settings: settings)
    }
  }

  /// Mails a link to `newEmail`, which becomes the account's address when it is followed.
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

  /// What Objective-C calls without settings.
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

  /// Deletes the account, for good. Nobody is signed in when it returns.
  ///
  /// Doesn't end what providers gave the app: revoke that before, with
  /// ``Auth/revokeToken(withAuthorizationCode:)`` for Apple.
  ///
  /// - Throws: ``AuthErrorCode/requiresRecentLogin``.
  public func delete() async throws {
    let person = self.person
    try await asAuthErrors { () async throws(ClientError) in try await person.delete() }
  }

  public func delete(completion: (((any Error)?) -> Void)? = nil) {
    completing(completion) { try await self.delete() }
  }
}
