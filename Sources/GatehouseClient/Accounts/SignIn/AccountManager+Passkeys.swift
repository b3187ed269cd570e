extension AccountManager {
  /// A passkey's signature, for a sign-in.
  func askPasskey(_ style: PasskeySignInStyle) async throws(AccountError) -> Credential {
    guard let passkeys = devices.passkeys else { throw .notOffered(.passkey) }
    let client = self.client
    let request = try await sending { () async throws(ClientError) in
      try await client.startPasskeySignIn()
    }
    do {
      return .passkey(try await passkeys.sign(request, style))
    } catch {
      throw .device(error)
    }
  }

  /// Offers the device's passkeys above the keyboard, for a text field of the content type `username`, and
  /// signs in with the one that the user chooses. Other flows can run meanwhile.
  ///
  /// Call it in the task of the page with the text field. It ends when the task is cancelled.
  public func signInByAutoFill(
    asking prompt: ConsentPrompt? = nil
  ) async throws(AccountError) -> SignInAnswer {
    let credential: Credential
    do {
      credential = try await askPasskey(.autoFill)
    } catch {
      if error.isCancellation { return .cancelled }
      throw error
    }
    return try await signIn(with: .credential(credential), asking: prompt)
  }

  /// Creates an account with a passkey, and signs in to it.
  ///
  /// - Parameter email: The address of the new account, which has to be verified later.
  public func createAccountWithPasskey(
    email: String? = nil, displayName: String = ""
  ) async throws(AccountError) -> SignInAnswer {
    do throws(AccountError) {
      return try await inTurn(or: .busy) { () async throws(AccountError) -> SignInAnswer in
        let client = self.client
        let registration = try await self.newPasskey(quietly: false) {
          () async throws(ClientError) in
          try await client.startPasskeyAccount(email: email, displayName: displayName)
        }
        return .signedIn(
          try await self.sending { () async throws(ClientError) in
            try await client.createUser(with: registration)
          })
      }
    } catch {
      if error.isCancellation { return .cancelled }
      throw error
    }
  }

  /// Creates an account with a passkey, and signs in to it. The sheet also asks for the user's email address
  /// and name, on iOS 26, macOS 26 and visionOS 26.
  ///
  /// - Throws: ``AccountError/client(_:)`` with ``ClientError/credentialInUse(updated:email:code:)`` if an account
  ///   has the address: its user can sign in to it. The new passkey is of no use then.
  public func signUpWithPasskey() async throws(AccountError) -> PasskeySignUp {
    guard let passkeys = devices.passkeys else { throw .notOffered(.passkey) }
    do throws(AccountError) {
      return try await inTurn(or: .busy) { () async throws(AccountError) -> PasskeySignUp in
        let client = self.client
        let creation = try await self.sending { () async throws(ClientError) in
          try await client.startPasskeyAccount()
        }
        let answer: PasskeyAccountAnswer
        do throws(DeviceFault) {
          answer = try await passkeys.createAccount(creation)
        } catch {
          throw .device(error)
        }
        guard case .created(let account) = answer else { return .prefersApple }
        let name = account.name.map {
          [$0.givenName, $0.familyName].compactMap(\.self).joined(separator: " ")
        }
        let result = try await self.sending { () async throws(ClientError) in
          try await client.createUser(
            with: account.registration, email: account.email, displayName: name)
        }
        return .signedIn(result, email: account.email)
      }
    } catch {
      if error.isCancellation { return .cancelled }
      throw error
    }
  }

  /// Adds a passkey to the signed-in user's account. Needs a recent sign-in.
  ///
  /// - Parameter name: What the user calls the passkey. Nil: the server chooses a name.
  /// - Returns: False if the user closed the sheet.
  @discardableResult
  public func addPasskey(name: String? = nil) async throws(AccountError) -> Bool {
    try await addPasskey(name: name, quietly: false)
  }

  /// Adds a passkey without a sheet, after a sign-in with a saved password, if the system allows it (iOS 18,
  /// macOS 15).
  ///
  /// - Returns: Whether it was added. The user asked for nothing, so there is no error.
  @discardableResult
  public func addPasskeyQuietly() async -> Bool {
    do { return try await addPasskey(name: nil, quietly: true) } catch { return false }
  }

  private func addPasskey(
    name: String?, quietly: Bool
  ) async throws(AccountError) -> Bool {
    guard let user = client.currentUser else { throw .client(.notSignedIn) }
    do throws(AccountError) {
      try await inTurn(or: .busy) { () async throws(AccountError) in
        let registration = try await self.newPasskey(quietly: quietly) {
          () async throws(ClientError) in try await user.startPasskeyEnrollment()
        }
        try await self.sending { () async throws(ClientError) in
          try await user.addPasskey(registration, name: name)
        }
      }
      return true
    } catch {
      if error.isCancellation { return false }
      throw error
    }
  }

  /// Removes a passkey from the account, and from the device's list where the system allows it. Needs a
  /// recent sign-in.
  ///
  /// - Parameter relyingPartyID: The domain of the passkey. Nil: the device's list stays as it is.
  public func removePasskey(
    _ passkey: Passkey, relyingPartyID: String? = nil
  ) async throws(AccountError) {
    guard let user = client.currentUser else { throw .client(.notSignedIn) }
    try await inTurn(or: .busy) { () async throws(AccountError) in
      try await self.sending { () async throws(ClientError) in
        try await user.removePasskeys([passkey.id])
      }
    }
    guard let relyingPartyID, let passkeys = devices.passkeys else { return }
    await passkeys.keep(user.snapshot.passkeys, of: relyingPartyID)
  }

  private func newPasskey(
    quietly: Bool, _ start: () async throws(ClientError) -> PasskeyCreation
  ) async throws(AccountError) -> PasskeyRegistration {
    guard let passkeys = devices.passkeys else { throw .notOffered(.passkey) }
    let creation = try await sending(start)
    do {
      return try await passkeys.create(creation, quietly: quietly)
    } catch {
      throw .device(error)
    }
  }

  private func sending<Value: Sendable>(
    _ body: () async throws(ClientError) -> Value
  ) async throws(AccountError) -> Value {
    do { return try await body() } catch { throw .client(error) }
  }
}

/// How the creation of an account with a passkey ended.
public enum PasskeySignUp: Sendable {
  /// - email: The address that the user entered, unverified. Nil on systems that don't ask for it.
  case signedIn(SignInResult, email: String?)
  /// The user has an account with Sign in with Apple, and chose it: sign in with ``SignInMethod/apple``.
  case prefersApple
  /// The user closed the sheet, or the task was cancelled. No message is needed.
  case cancelled
}
