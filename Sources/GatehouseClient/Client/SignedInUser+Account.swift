public import struct Foundation.Data
import GatehouseProtocol

extension SignedInUser {
  /// Reads the profile from the server.
  ///
  /// If this client changes the account during the request, the response may lack the change. Then it is
  /// dropped, and the profile is read again.
  public func reload() async throws(ClientError) {
    while true {
      var lookUp: UInt64 = 0
      let account = try await call { idToken in
        lookUp = beginLookUp()
        return LookupCall(idToken: idToken)
      }
      if try await take(account, of: lookUp) { return }
    }
  }

  /// Links another way to sign in.
  ///
  /// A provider's token with a nonce can be used only once. If this client presented the token in
  /// the last ten minutes, it can be linked nevertheless: the pending token of that response is
  /// sent in its place. This isn't possible after signing out.
  ///
  /// If the server says that the identity is linked already, and the account has it, this succeeds: the
  /// response to an earlier link was lost, or another device linked the identity. The user is
  /// re-authenticated with it.
  ///
  /// - Throws: ``ClientError/server(_:)`` with `PROVIDER_ALREADY_LINKED`, without a request if the
  ///   profile already shows it; ``ClientError/needsRecentSignIn(providers:)`` for a password, for an
  ///   address in place of another one, and if the project requires it for every link;
  ///   ``ClientError/nonce(detail:)``; ``ClientError/credentialInUse(updated:email:code:)``;
  ///   ``ClientError/phoneNumberInUse(updated:)``; ``ClientError/consentRequired(joins:updated:)``;
  ///   ``ClientError/secondFactorRequired(_:)``.
  @discardableResult
  public func link(_ credential: Credential, consent: Consent? = nil)
    async throws(ClientError) -> SignInResult
  {
    if !credential.isEmailed, snapshot.provider(credential.provider) != nil {
      throw .server(ServerRefusal(status: 400, code: ErrorCode.providerAlreadyLinked.rawValue))
    }
    switch credential {
    case .identityProvider(let credential):
      let (credential, answer) = try await linkAnswer(credential, consent: consent)
      if let own = try await ownCredential(in: answer) {
        do {
          return try await reauthenticate(with: .identityProvider(own))
        } catch .userMismatch {
          // Only the ids look alike, so it is a conflict.
        } catch {
          // The identity is linked, so a failure of this request isn't a failure of the link.
          await core.acknowledge(credential, by: self)
          return SignInResult(self, answer)
        }
      }
      try await hold(
        try answer.session(or: WaitingSignIn(core, user: self, sent: credential, answer)).tokens)
      await core.acknowledge(credential, by: self)
      return SignInResult(self, answer)
    case .password(let email, let password):
      try await endingSession { () async throws(ClientError) in
        let answer = try await call(email: email) {
          SignUpCall(idToken: $0, email: email, password: password, consent: consent)
        }
        try await hold(try answer.tokens(or: waiting(.password)))
      }
    case .emailLink(let email, let link):
      try await self.link(email: email, code: try MailedLink.code(in: link), consent: consent)
    case .emailCode(let email, let code):
      try await self.link(email: email, code: code, consent: consent)
    case .phoneNumber(let credential):
      try await setPhoneNumber(credential, as: .link, consent)
    case .passkey:
      throw .invalidArgument(detail: "A passkey that exists can't be linked. Use addPasskey.")
    }
    return SignInResult(
      user: self, snapshot: snapshot, provider: credential.provider, isNewUser: false)
  }

  private func link(email: String, code: String, consent: Consent?) async throws(ClientError) {
    try await endingSession { () async throws(ClientError) in
      let answer = try await call(email: email) {
        SignInWithEmailLinkCall(email: email, code: code, idToken: $0, consent: consent)
      }
      try await hold(try answer.answer.tokens(or: waiting(.password)))
    }
  }

  /// - Returns: The credential that was sent, and the response.
  private func linkAnswer(_ given: IdentityProviderCredential, consent: Consent?)
    async throws(ClientError) -> (IdentityProviderCredential, SignInWithIdpAnswer)
  {
    let standIn = core.spentCredentials.standIn(for: given)
    let credential = if let standIn { standIn } else { try await core.remember(given) }
    do {
      let answer = try await call {
        SignInWithIdpCall(credential: credential, purpose: .link(idToken: $0), consent: consent)
      }
      core.spentCredentials.keep(answer.credential?.pendingToken, of: credential)
      return (credential, answer)
    } catch .server(let refusal)
      where standIn != nil && refusal.code == ErrorCode.invalidPendingToken.rawValue
    {
      // The app passed a used token, so the error says that, and not that a pending token is
      // invalid.
      throw .nonce(detail: "The credential was used before. Ask the user to sign in again.")
    }
  }

  /// Finds out whether a link was refused only because this account has the identity already.
  ///
  /// - Returns: The credential that signs in with the identity; nil if the account doesn't have it, or if
  ///   that isn't known.
  private func ownCredential(in answer: SignInWithIdpAnswer) async throws(ClientError)
    -> IdentityProviderCredential?
  {
    guard case .conflict(let refusal) = answer.outcome,
      refusal.code == ErrorCode.federatedUserIDAlreadyLinked.rawValue, answer.federatedID != nil,
      let credential = answer.credential, credential.pendingToken != nil
    else { return nil }
    do {
      try await reload()
    } catch .sessionEnded(let end) {
      throw .sessionEnded(end)
    } catch {
      return nil
    }
    guard let linked = snapshot.provider(answer.provider), answer.isAbout(linked) else {
      return nil
    }
    return credential
  }

  /// Re-authenticates the user. The client's session continues with new tokens and a new
  /// `auth_time`.
  ///
  /// - Throws: ``ClientError/userMismatch`` if the credential belongs to another account or to
  ///   none; ``ClientError/secondFactorRequired(_:)``.
  @discardableResult
  public func reauthenticate(with credential: Credential) async throws(ClientError) -> SignInResult
  {
    do {
      switch credential {
      case .identityProvider(let credential):
        let credential = try await core.remember(credential)
        let answer = try await core.api.send(
          SignInWithIdpCall(credential: credential, purpose: .reauthenticate))
        core.spentCredentials.keep(answer.credential?.pendingToken, of: credential)
        if case .needsConfirmation = answer.outcome { throw ClientError.userMismatch }
        if case .secondFactorNeeded(let other?, _) = answer.outcome, other != uid {
          throw ClientError.userMismatch
        }
        let (uid, tokens) = try answer.session(
          or: WaitingSignIn(core, user: self, sent: credential, answer))
        try await hold(try checked(tokens, uid: uid))
        await core.acknowledge(credential, by: self)
        return SignInResult(self, answer)
      case .password(let email, let password):
        let answer = try await core.api.send(
          SignInWithPasswordCall(email: email, password: password))
        try await hold(try checked(try answer.tokens(or: waiting(.password))))
      case .emailLink(let email, let link):
        try await reauthenticate(email: email, code: try MailedLink.code(in: link))
      case .emailCode(let email, let code):
        try await reauthenticate(email: email, code: code)
      case .phoneNumber(let credential):
        let answer = try await core.api.send(
          SignInWithPhoneNumberCall(credential: credential, operation: .reauthenticate))
        try await hold(
          try checked(try answer.signIn().answer.tokens(or: waiting(.phone))))
      case .passkey(let assertion):
        let answer = try await core.api.send(FinalizePasskeySignInCall(assertion: assertion))
        try await hold(try checked(try answer.tokens(or: waiting(.passkey))))
      }
    } catch let error as CallError {
      // `EMAIL_NOT_FOUND` comes for a password, without email enumeration protection.
      let unknown = [ErrorCode.userNotFound.rawValue, ErrorCode.emailNotFound.rawValue]
      if case .refused(let refusal, _) = error, unknown.contains(refusal.code) {
        throw .userMismatch
      }
      throw ClientError(error, context())
    } catch let error as ClientError {
      throw error
    } catch {
      throw .cancelled
    }
    return SignInResult(
      user: self, snapshot: snapshot, provider: credential.provider, isNewUser: false)
  }

  /// - Throws: ``ClientError``, or the `CallError` of the request.
  private func reauthenticate(email: String, code: String) async throws {
    // Without this check, the server could create an account for the address.
    guard snapshot.email?.lowercased() == email.lowercased() else { throw ClientError.userMismatch }
    let answer = try await core.api.send(SignInWithEmailLinkCall(email: email, code: code))
    try await hold(try checked(try answer.answer.tokens(or: waiting(.password))))
  }

  func waiting(_ provider: Provider) -> WaitingSignIn {
    WaitingSignIn(core, user: self, provider: provider)
  }

  /// Removes a way to sign in. Needs a recent sign-in.
  ///
  /// - Throws: ``ClientError/server(_:)`` with `NO_SUCH_PROVIDER`, without a request, if the
  ///   profile doesn't list `provider`, and with `OPERATION_NOT_ALLOWED` if it is the last one and the
  ///   project's policy keeps it; ``ClientError/needsRecentSignIn(providers:)``.
  @discardableResult
  public func unlink(_ provider: Provider) async throws(ClientError) -> UserSnapshot {
    guard snapshot.provider(provider) != nil else {
      throw .server(ServerRefusal(status: 400, code: "NO_SUCH_PROVIDER"))
    }
    try await update(.unlink(provider))
    return snapshot
  }

  public func update(profile: ProfileChange) async throws(ClientError) {
    if profile == ProfileChange() { return }
    try await update(.profile(profile))
  }

  /// Sets or changes the password. Needs a recent sign-in, and ends all other sessions of the
  /// account.
  ///
  /// - Throws: ``ClientError/needsRecentSignIn(providers:)``; ``ClientError/server(_:)`` with
  ///   `WEAK_PASSWORD`, `PASSWORD_DOES_NOT_MEET_REQUIREMENTS`, … After ``ClientError/network(_:)`` the
  ///   password may have changed, and then the session has ended: see <doc:KeepingASession>.
  public func update(password: String) async throws(ClientError) {
    try await update(.password(password))
  }

  /// Sets or changes the email address, without verifying it first. Needs a recent sign-in, and
  /// ends all other sessions of the account. If the project has email enumeration protection, the
  /// server rejects a new address with `OPERATION_NOT_ALLOWED`: use
  /// ``sendEmailVerification(beforeUpdatingTo:settings:)``. An account without an address gets one when a
  /// password or a sign-in link is linked.
  ///
  /// - Throws: ``ClientError/needsRecentSignIn(providers:)``;
  ///   ``ClientError/credentialInUse(updated:email:code:)`` with `EMAIL_EXISTS`;
  ///   ``ClientError/consentRequired(joins:updated:)``; ``ClientError/server(_:)`` with `INVALID_EMAIL`,
  ///   … After ``ClientError/network(_:)`` the address may have changed, and then the session has ended:
  ///   see <doc:KeepingASession>.
  public func update(email: String) async throws(ClientError) {
    try await update(.email(email), email: email)
  }

  public func sendEmailVerification(settings: ActionLinkSettings? = nil) async throws(ClientError) {
    _ = try await call { SendOobCodeCall(purpose: .verification(idToken: $0), settings: settings) }
  }

  /// Sends an email with a link and six digits, either of which verifies the account's address.
  public func sendEmailVerificationCode(
    settings: ActionLinkSettings? = nil
  ) async throws(ClientError) -> EmailCodeSession {
    try await call {
      SendOobCodeCall(purpose: .verification(idToken: $0), settings: settings, isTyped: true)
    }.session()
  }

  /// Sends an email with a link to a new address. When the user follows the link, the address
  /// becomes the account's, and every session of the account ends.
  public func sendEmailVerification(
    beforeUpdatingTo email: String, settings: ActionLinkSettings? = nil
  ) async throws(ClientError) {
    _ = try await call(email: email) {
      SendOobCodeCall(
        purpose: .emailChange(idToken: $0, newEmail: email), settings: settings)
    }
  }

  /// Sends an email with a link and six digits to a new address. When the user uses either, the
  /// address becomes the account's, and every session of the account ends.
  public func sendEmailVerificationCode(
    beforeUpdatingTo email: String, settings: ActionLinkSettings? = nil
  ) async throws(ClientError) -> EmailCodeSession {
    try await call(email: email) {
      SendOobCodeCall(
        purpose: .emailChange(idToken: $0, newEmail: email), settings: settings, isTyped: true)
    }.session()
  }

  /// Asks the server to revoke Apple's tokens, with the authorization code of a new sheet.
  public func revokeApple(authorizationCode: String) async throws(ClientError) {
    try await call {
      RevokeTokenCall(idToken: $0, provider: .apple, authorizationCode: authorizationCode)
    }
  }

  /// Asks the server for a nonce with which to link an identity to this account.
  public func issueNonce() async throws(ClientError) -> ServerNonce {
    try await call { NonceCall(idToken: $0) }
  }

  /// What the server stores about the user, as a JSON document without secrets: the account, its
  /// identities, live sessions and consents, and the latest 1000 events.
  ///
  /// The document leaves out ended sessions, unused codes, emails that wait to be sent, deliveries to
  /// hooks, and earlier events.
  ///
  /// - Throws: ``ClientError/needsRecentSignIn(providers:)``.
  public func exportData() async throws(ClientError) -> Data {
    Data(try await call { ExportCall(idToken: $0) })
  }

  /// The devices on which the user is signed in, the newest sign-in first; at most 100.
  public func deviceSessions() async throws(ClientError) -> [DeviceSession] {
    try await call { SessionsCall(idToken: $0) }
  }

  /// Signs another device out, unless it is already signed out. Codes that were sent to change the
  /// account's address become invalid, because that device may have requested them. To sign this device
  /// out, use ``AuthClient/signOut()``.
  public func end(_ session: DeviceSession) async throws(ClientError) {
    try await call { EndSessionCall(idToken: $0, session: session.id) }
  }

  /// Signs all other devices out. Codes that were sent to change the account's address become invalid.
  public func endOtherSessions() async throws(ClientError) {
    try await call { EndSessionCall(idToken: $0, session: nil) }
  }

  /// Names a device, so that the user recognises it.
  ///
  /// - Parameter name: At most 100 characters; nil removes the name.
  public func name(_ session: DeviceSession, _ name: String?) async throws(ClientError) {
    try await call { NameSessionCall(idToken: $0, session: session.id, name: name) }
  }

  /// Deletes the account, or schedules the deletion if the project has a grace period. The client
  /// is signed out when this returns, also if the same user has signed in again since this object was
  /// the client's user.
  ///
  /// - Throws: ``ClientError/needsRecentSignIn(providers:)``.
  @discardableResult
  public func delete() async throws(ClientError) -> DeletionConfirmation {
    try await endingSession { () async throws(ClientError) in
      let confirmation = try await call { DeleteCall(idToken: $0) }
      await core.endSessions(ofDeleted: self)
      return confirmation
    }
  }
}
