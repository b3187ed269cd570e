import GatehouseProtocol

/// Where codes are sent, and where a factor is added: the account of a signed-in user
/// (``SignedInUser/secondFactorSession``), or one whose sign-in waits for a second factor
/// (``SecondFactorResolver/session``).
public struct SecondFactorSession: Sendable, Hashable {
  enum Holder: Sendable, Hashable {
    case user(SignedInUser)
    case signIn(SecondFactorResolver)
  }

  let holder: Holder

  init(_ holder: Holder) { self.holder = holder }

  /// The sign-in that waits. Nil for the session of a signed-in user.
  package var resolver: SecondFactorResolver? {
    if case .signIn(let resolver) = holder { resolver } else { nil }
  }

  // MARK: Signing in

  /// Sends a code to the phone of a factor, for a sign-in.
  ///
  /// - Returns: The verification id for ``SecondFactorProof/phone(code:verificationID:)``.
  /// - Throws: ``ClientError/invalidArgument(detail:)`` for the session of a signed-in user;
  ///   ``ClientError/server(_:)`` with `QUOTA_EXCEEDED`, …
  @concurrent public func sendCode(
    to factor: SecondFactor
  ) async throws(ClientError) -> String {
    try await sendCode(toFactor: factor.id)
  }

  /// - Parameter factorID: ``SecondFactor/id``.
  @concurrent package func sendCode(
    toFactor factorID: String
  ) async throws(ClientError) -> String {
    guard case .signIn(let resolver) = holder else {
      throw .invalidArgument(detail: "The user is already signed in.")
    }
    return try await send(
      StartMFASignInCall(pendingCredential: resolver.credential, enrollmentID: factorID),
      resolver.waiting)
  }

  // MARK: Adding a factor

  /// Asks for the secret of a new authenticator app.
  ///
  /// - Throws: ``ClientError/needsRecentSignIn(providers:)``; ``ClientError/server(_:)`` with
  ///   `UNVERIFIED_EMAIL`, `SECOND_FACTOR_LIMIT_EXCEEDED`, `UNSUPPORTED_FIRST_FACTOR`,
  ///   `OPERATION_NOT_ALLOWED`.
  @concurrent public func createAuthenticatorSecret() async throws(ClientError)
    -> AuthenticatorSecret
  {
    guard case .totp(let info) = try await start(.totp) else {
      throw .badAnswer(detail: "The server returned no secret.")
    }
    return AuthenticatorSecret(info)
  }

  /// Sends a code to a phone that becomes a second factor.
  ///
  /// - Parameter phoneNumber: Begins with `+` and the country calling code.
  /// - Returns: The verification id for ``NewSecondFactor/phone(code:verificationID:)``.
  /// - Throws: The errors of ``createAuthenticatorSecret()``; ``ClientError/server(_:)`` with
  ///   `SECOND_FACTOR_EXISTS`, `INVALID_PHONE_NUMBER`, `QUOTA_EXCEEDED`.
  @concurrent public func sendCode(
    toNew phoneNumber: String
  ) async throws(ClientError) -> String {
    guard case .phone(let sessionInfo) = try await start(.phone(number: phoneNumber)) else {
      throw .badAnswer(detail: "The server returned no verification id.")
    }
    return sessionInfo
  }

  /// Adds a factor to the account. A sign-in that waits for it ends with this.
  ///
  /// - Parameter displayName: What the user calls the factor.
  /// - Throws: ``ClientError/server(_:)`` with `INVALID_CODE`, `SESSION_EXPIRED`, …
  @concurrent public func enroll(
    _ factor: NewSecondFactor, displayName: String? = nil
  ) async throws(ClientError) -> SecondFactorEnrollment {
    let call = FinalizeMFAEnrollmentCall(factor: factor, displayName: displayName, holder: nil)
    switch holder {
    case .user(let user):
      let codes = try await user.endingSession { () async throws(ClientError) in
        let answer = try await user.call { call.by(.user(idToken: $0)) }
        try await user.hold(try user.checked(answer.tokens))
        return answer.recoveryCodes
      }
      return SecondFactorEnrollment(
        result: SignInResult(user: user, snapshot: user.snapshot, provider: nil, isNewUser: false),
        recoveryCodes: codes)
    case .signIn(let resolver):
      let codes = Locked<[String]>([])
      let result = try await resolver.waiting.finish { (api) throws(CallError) in
        let answer = try await api.send(
          call.by(.signIn(pendingCredential: resolver.credential)))
        codes.withLock { $0 = answer.recoveryCodes }
        return answer.tokens
      }
      return SecondFactorEnrollment(result: result, recoveryCodes: codes.withLock(\.self))
    }
  }

  /// Begins the addition of a passkey. In a sign-in, it becomes the second factor that the project requires.
  ///
  /// - Throws: The errors of ``SignedInUser/startPasskeyEnrollment()``; ``ClientError/server(_:)`` with
  ///   `UNSUPPORTED_FIRST_FACTOR` if the first factor was a passkey.
  @concurrent public func startPasskey() async throws(ClientError) -> PasskeyCreation {
    switch holder {
    case .user(let user): return try await user.startPasskeyEnrollment()
    case .signIn(let resolver):
      var request = StartPasskeyEnrollmentRequest(idToken: nil)
      request.pendingCredential = resolver.credential
      return try await send(StartPasskeyEnrollmentCall(request: request), resolver.waiting)
    }
  }

  /// Adds the passkey that the device created for ``startPasskey()``. A sign-in that waits for it ends with this.
  ///
  /// - Parameter name: What the user calls the passkey. Nil: the server chooses a name.
  @discardableResult
  @concurrent public func addPasskey(
    _ registration: PasskeyRegistration, name: String? = nil
  ) async throws(ClientError) -> SignInResult {
    switch holder {
    case .user(let user):
      try await user.addPasskey(registration, name: name)
      return SignInResult(user: user, snapshot: user.snapshot, provider: nil, isNewUser: false)
    case .signIn(let resolver):
      var request = registration.request
      request.pendingCredential = resolver.credential
      request.name = name
      let call = FinalizePasskeyEnrollmentCall(request: request)
      return try await resolver.waiting.finish { (api) throws(CallError) in
        guard case .signedIn(let tokens) = try await api.send(call) else {
          throw CallError.badAnswer("The server asks for a second factor again.")
        }
        return tokens
      }
    }
  }

  private func start(
    _ factor: StartMFAEnrollmentRequest.Factor
  ) async throws(ClientError) -> StartMFAEnrollmentResponse {
    switch holder {
    case .user(let user):
      try await user.call { StartMFAEnrollmentCall(factor: factor, holder: .user(idToken: $0)) }
    case .signIn(let resolver):
      try await send(
        StartMFAEnrollmentCall(
          factor: factor, holder: .signIn(pendingCredential: resolver.credential)),
        resolver.waiting)
    }
  }

  private func send<Call: ServerCall>(
    _ call: Call, _ waiting: WaitingSignIn
  ) async throws(ClientError) -> Call.Answer {
    do {
      return try await waiting.core.api.send(call)
    } catch {
      throw ClientError(error, waiting.user?.context() ?? RefusalContext())
    }
  }
}

/// A factor that the user adds, with a code that shows that they have it.
public enum NewSecondFactor: Sendable, Hashable {
  case totp(AuthenticatorSecret, code: String)
  /// The code of the text message of ``SecondFactorSession/sendCode(toNew:)``, and its result.
  case phone(code: String, verificationID: String)
}

extension NewSecondFactor: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable
{
  public var description: String {
    switch self {
    case .totp: "totp"
    case .phone: "phone"
    }
  }
  public var debugDescription: String { description }
  public var customMirror: Mirror { Mirror(self, children: []) }
}

/// The result of adding a factor.
public struct SecondFactorEnrollment: Sendable {
  public let result: SignInResult
  /// The account's recovery codes, if it had none before: each signs in once in place of a factor. Show them to
  /// the user now; the server can't show them again.
  public let recoveryCodes: [String]
}

extension SignedInUser {
  /// Adds factors to the user's account. Needs a verified email address and a recent sign-in.
  public var secondFactorSession: SecondFactorSession { SecondFactorSession(.user(self)) }

  /// Removes a second factor. Needs a recent sign-in.
  ///
  /// - Parameter factorID: ``SecondFactor/id``.
  /// - Throws: ``ClientError/server(_:)`` with `MFA_ENROLLMENT_NOT_FOUND`;
  ///   ``ClientError/needsRecentSignIn(providers:)``.
  public func withdrawSecondFactor(_ factorID: String) async throws(ClientError) {
    try await endingSession { () async throws(ClientError) in
      let tokens = try await call { WithdrawMFACall(idToken: $0, enrollmentID: factorID) }
      try await hold(try checked(tokens))
    }
  }

  /// Creates recovery codes, each of which signs in once in place of a second factor. They replace the
  /// ones that the account has. Needs a recent sign-in with the second factor.
  ///
  /// - Returns: Ten codes. Show them to the user now; the server can't show them again.
  /// - Throws: ``ClientError/needsRecentSignIn(providers:)``.
  public func createRecoveryCodes() async throws(ClientError) -> [String] {
    let codes = try await call { CreateRecoveryCodesCall(idToken: $0) }
    _ = await core.update(self) { [self] session in
      noteProfileChange()
      session.snapshot.recoveryCodesLeft = codes.count
    }
    return codes
  }
}
