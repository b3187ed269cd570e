import GatehouseProtocol

/// A sign-in, link or re-authentication whose first factor was right, and that waits for a second
/// one: in ``ClientError/secondFactorRequired(_:)``. It can be resolved for some minutes, and a wrong code
/// doesn't end it.
public struct SecondFactorResolver: Sendable {
  /// The account's factors. Empty if ``isEnrollmentRequired``.
  public let factors: [SecondFactor]
  /// How many recovery codes are left. Nil if the account has none.
  public let recoveryCodesLeft: Int?
  /// Whether one of the account's passkeys can stand for the second factor.
  public let isPasskeyAvailable: Bool
  /// The project requires a second factor, and the account has none: add one with ``session``, and
  /// the user is signed in.
  public let isEnrollmentRequired: Bool
  /// A secret.
  let credential: String
  var waiting: WaitingSignIn

  init(_ pending: PendingSecondFactor, _ waiting: WaitingSignIn) {
    factors = pending.factors.compactMap { SecondFactor($0) }
    recoveryCodesLeft = pending.recoveryCodesLeft
    isPasskeyAvailable = pending.isPasskeyAvailable
    isEnrollmentRequired = pending.isEnrollmentRequired
    credential = pending.credential
    self.waiting = waiting
  }

  /// Whether the sign-in is one of `client`.
  package func belongs(to client: AuthClient) -> Bool { waiting.core === client.core }

  /// Sends codes to the account's phones, and adds the first factor.
  public var session: SecondFactorSession { SecondFactorSession(.signIn(self)) }

  /// Ends what waits: signs in, or gives the session of a link or a re-authentication new tokens.
  ///
  /// - Throws: ``ClientError/server(_:)`` with `INVALID_CODE` or `INVALID_RECOVERY_CODE`, after which
  ///   the user can try again, and with `INVALID_MFA_PENDING_CREDENTIAL` if the first factor is too old.
  ///   ``ClientError/cancelled``, also if a user signed out or in meanwhile.
  @discardableResult
  @concurrent public func resolve(
    with proof: SecondFactorProof
  ) async throws(ClientError) -> SignInResult {
    let call = FinalizeMFASignInCall(pendingCredential: credential, proof: proof)
    return try await waiting.finish { (api) throws(CallError) in try await api.send(call) }
  }
}

extension SecondFactorResolver: Hashable {
  public static func == (left: SecondFactorResolver, right: SecondFactorResolver) -> Bool {
    left.credential.utf8.elementsEqual(right.credential.utf8)
      && left.waiting.core === right.waiting.core
  }

  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(waiting.core)) }
}

extension SecondFactorResolver: CustomStringConvertible, CustomReflectable {
  public var description: String { "SecondFactorResolver" }
  public var customMirror: Mirror { Mirror(self, children: ["factors": factors]) }
}

extension ClientError {
  /// The same error; a resolver in it then also links `credential` to the account.
  func linking(_ credential: IdentityProviderCredential, consent: Consent?) -> ClientError {
    guard case .secondFactorRequired(var resolver) = self else { return self }
    resolver.waiting.linking = (credential, consent)
    return .secondFactorRequired(resolver)
  }
}

/// What a second factor ends: a sign-in, or a link or re-authentication of a user.
struct WaitingSignIn: Sendable {
  let core: ClientCore
  /// Whose session gets the tokens. Nil for a sign-in.
  var user: SignedInUser?
  var provider: Provider?
  var isNewUser = false
  /// The provider's part of the result.
  var answer: SignInWithIdpAnswer?
  /// The credential that was sent to the server.
  var sent: IdentityProviderCredential?
  /// What is linked after a sign-in.
  var linking: (credential: IdentityProviderCredential, consent: Consent?)?

  init(
    _ core: ClientCore, user: SignedInUser? = nil, provider: Provider?, isNewUser: Bool = false
  ) {
    self.core = core
    self.user = user
    self.provider = provider
    self.isNewUser = isNewUser
  }

  init(
    _ core: ClientCore, user: SignedInUser? = nil, sent: IdentityProviderCredential,
    _ answer: SignInWithIdpAnswer
  ) {
    self.init(core, user: user, provider: answer.provider, isNewUser: answer.isNewUser)
    self.answer = answer
    self.sent = sent
  }

  /// - Parameter send: Sends the second factor and returns the session's tokens.
  func finish(
    _ send: (ServerAPI) async throws(CallError) -> HeldTokens
  ) async throws(ClientError) -> SignInResult {
    if let user {
      try await user.endingSession { () async throws(ClientError) in
        let tokens: HeldTokens
        do throws(CallError) {
          tokens = try await send(core.api)
        } catch {
          throw ClientError(error, user.context())
        }
        try await user.hold(try user.checked(tokens))
      }
      return await result(user)
    }
    let signedIn = try await core.signIn(provider) { (api) throws(CallError) in try await send(api)
    }
    guard let linking else { return await result(signedIn.user) }
    return try await signedIn.user.link(
      .identityProvider(linking.credential), consent: linking.consent)
  }

  private func result(_ user: SignedInUser) async -> SignInResult {
    if let sent { await core.acknowledge(sent, by: user) }
    if let answer { return SignInResult(user, answer) }
    return SignInResult(
      user: user, snapshot: user.snapshot, provider: provider, isNewUser: isNewUser)
  }
}
