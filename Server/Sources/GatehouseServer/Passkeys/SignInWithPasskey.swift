package import Foundation
package import GatehouseProtocol
import GatehouseTokens

/// `v2/accounts/passkeySignIn:start` and `:finalize`.
struct SignInWithPasskey: Endpoint {
  let services: APIServices

  var routes: [Route] {
    let path = "v2/accounts/passkeySignIn:"
    return [
      .client(.post, path + "start", "passkeySignIn.start", start),
      Route.signIn(at: path + "finalize", "passkeySignIn.finalize", finalize),
    ]
  }

  func start(_ call: Call) async throws -> Answer {
    let request = try call.request(StartPasskeySignInRequest.self)
    return Answer(
      try await services.accounts.startPasskeySignIn(
        email: try request.email.map { text throws(APIError) in try EmailAddress(checking: text) },
        idToken: request.idToken, pendingCredential: request.pendingCredential,
        in: try call.requireProject(), now: call.now))
  }

  func finalize(_ call: Call) async throws -> Answer {
    let request = try call.request(FinalizePasskeySignInRequest.self)
    let project = try call.requireProject()
    guard let credential = request.credential else {
      throw APIError.refused(.missingAuthenticatorResponse)
    }
    let result = try await services.accounts.signIn(
      with: try PasskeyAssertion(credential), from: call.client, language: call.language,
      in: project, now: call.now)
    return Answer(
      FinalizePasskeySignInResponse(
        localID: result.account.uid.text, outcome: FirstFactorOutcome(result)))
  }
}

/// The answer to an authentication. Nothing in it is verified.
package struct PasskeyAssertion: Sendable {
  package let credentialID: [UInt8]
  package let clientDataJSON: [UInt8]
  package let authenticatorData: [UInt8]
  package let signature: [UInt8]
  package let userHandle: [UInt8]?

  package init(
    credentialID: [UInt8], clientDataJSON: [UInt8], authenticatorData: [UInt8],
    signature: [UInt8], userHandle: [UInt8]?
  ) {
    self.credentialID = credentialID
    self.clientDataJSON = clientDataJSON
    self.authenticatorData = authenticatorData
    self.signature = signature
    self.userHandle = userHandle
  }

  /// - Throws: ``APIError``. An id that isn't base64 is that of no passkey.
  init(_ credential: FinalizePasskeySignInRequest.Credential) throws(APIError) {
    guard !credential.id.isEmpty else { throw .refused(.invalidCredentialID) }
    self.init(
      credentialID: AnyBase64.decode(credential.id) ?? [],
      clientDataJSON: try .init(base64: credential.clientDataJSON),
      authenticatorData: try .init(base64: credential.authenticatorData),
      signature: try .init(base64: credential.signature),
      userHandle: try credential.userHandle.map { text throws(APIError) in try .init(base64: text) }
    )
  }
}

extension AccountsService {
  /// Begins a sign-in with a passkey, or the re-authentication of a user.
  ///
  /// - Parameters:
  ///   - email: The address of the user who signs in. Without the project's enumeration protection, the
  ///     response names the passkeys of the account. With it, the response is the same as without an
  ///     address: the authenticator finds the passkey by itself.
  ///   - idToken: Of a user who authenticates again. Only a passkey of the account is accepted then.
  ///   - pendingCredential: Of a user whose passkey stands for the second factor. Likewise.
  /// - Throws: ``AccountsError/passkeysDisabled``; ``AccountsError/noPasskey`` if the ID token's account
  ///   has none; and what ``currentUser(ofIDToken:in:now:)`` throws.
  package func startPasskeySignIn(
    email: EmailAddress? = nil, idToken: String? = nil, pendingCredential: String? = nil,
    in project: Project, now: Date
  ) async throws -> StartPasskeySignInResponse {
    let party = try project.relyingParty()
    let facts = try idToken.map { try sessions.verify($0, in: project, now: now) }
    let first = try pendingCredential.map {
      try firstFactors.firstFactor(in: $0, project: project.id, now: now)
    }
    let (uid, passkeys) = try await store.read { transaction -> (UID?, [Passkey]) in
      let known = try facts.map { try transaction.currentUser($0, in: project.id).account }
      if let account = try known
        ?? first.map({ try transaction.account(waitingAfter: $0, in: project.id) })
      {
        let passkeys = try transaction.passkeys(of: account, in: project.id)
        if passkeys.isEmpty { throw AccountsError.noPasskey }
        return (account.uid, passkeys)
      }
      guard let email, !project.policies.protectsEmails,
        let account = try transaction.account(email: email, in: project.id)
      else { return (nil, []) }
      let passkeys = try transaction.passkeys(of: account, in: project.id)
      return (passkeys.isEmpty ? nil : account.uid, passkeys)
    }
    return try passkeyOptions(
      for: first == nil ? .signIn : .secondFactor, of: uid, among: passkeys, party, in: project,
      now: now)
  }

  /// The options of an authentication, with a new challenge.
  ///
  /// - Parameters:
  ///   - uid: The account that has to sign in; nil: any.
  ///   - passkeys: Those among which the user chooses; empty: those that the authenticator finds.
  func passkeyOptions(
    for use: PasskeyChallengeCodec.Use, of uid: UID?, among passkeys: [Passkey],
    _ party: RelyingParty, in project: Project, now: Date
  ) throws -> StartPasskeySignInResponse {
    var options = StartPasskeySignInResponse(
      relyingPartyID: party.id,
      challenge: try passkeyChallenges.challenge(
        for: use, of: uid, project: project.id, now: now))
    options.allowed = passkeys.map { PasskeyDescriptor($0) }
    options.userVerification = party.userVerification
    return options
  }

  /// Signs in with a passkey.
  ///
  /// A rejected assertion counts as a failure of the client address. If the counter went back, the sign-in is
  /// rejected, because another authenticator may have a copy of the passkey, and an event says so.
  ///
  /// - Throws: ``AccountsError/passkeyNotFound``, ``AccountsError/authenticatorResponse(_:)``,
  ///   ``AccountsError/passkeysDisabled``, ``AccountsError/userDisabled``,
  ///   ``AccountsError/tooManyAttempts``, ``AccountsError/blockedByFunction(_:)``.
  package func signIn(
    with assertion: PasskeyAssertion, from client: ClientAddress, language: String? = nil,
    in project: Project, now: Date
  ) async throws -> SignInResult {
    let limiter = RateLimiter.guess(of: nil, from: client, under: project.policies.rateLimits)
    let context = BlockingContext(
      method: ProviderID.passkey.text, client: client, language: language)
    return try await verifying(countedBy: limiter, in: project, now: now) {
      let verified = try await verify(
        assertion, for: .signIn, countedBy: limiter, in: project, now: now)
      do {
        return try await finish(verified, context, limiter, in: project, now: now)
      } catch AccountsError.authenticatorResponse(.counter) {
        try await recordCounter(of: verified, in: project, now: now)
        throw AccountsError.authenticatorResponse(.counter)
      }
    }
  }

  /// Runs `body`, and counts a rejected assertion.
  func verifying<Value>(
    countedBy limiter: RateLimiter, in project: Project, now: Date, _ body: () async throws -> Value
  ) async throws -> Value {
    do {
      return try await body()
    } catch let error as AccountsError where error.isFaultOfAssertion {
      throw try await refusal(error, countedBy: limiter, in: project, now: now)
    }
  }

  private func finish(
    _ verified: VerifiedPasskey, _ context: BlockingContext, _ limiter: RateLimiter,
    in project: Project, now: Date
  ) async throws -> SignInResult {
    let ending = try await write(asking: context, in: project, now: now) { transaction, gate in
      try limiter.check(transaction, in: project.id, now: now)
      let passkey = try transaction.use(verified, in: project.id, now: now)
      guard let before = try transaction.account(verified.uid, in: project.id) else {
        throw AccountsError.passkeyNotFound
      }
      if before.isDisabled { throw AccountsError.userDisabled }
      var account = before
      let admission = try gate.admit(
        &account, isNew: false, secondFactor: passkey.asBothFactors(in: verified), now: now)
      let confirmsOthers =
        !admission.needsSecondFactor && passkey.unconfirmedSince == nil
        && account.confirmCredentials()
      return try transaction.signIn(
        to: account,
        SignInRequest(
          provider: .passkey, admission: admission, method: gate.context.method, before: before,
          isChanged: confirmsOthers,
          authenticatedAt: passkey.unconfirmedSince.map { min($0, now) },
          language: context.language),
        in: project, now: now)
    }
    return try result(of: ending, in: project, now: now)
  }

  /// Records that the counter of a passkey went back. The transaction that noticed it was undone.
  func recordCounter(
    of verified: VerifiedPasskey, in project: Project, now: Date
  ) async throws {
    try await store.write { transaction in
      guard try transaction.spend(verified.spending, in: project.id) else { return }
      try transaction.record(
        .passkeyCounterWentBack, of: verified.uid,
        details: verified.passkey.aaguid.map { ["aaguid": $0.uuidString.asciiLowercased] } ?? [:],
        in: project.id, now: now)
    }
  }

  /// Verifies an assertion, except what only the transaction that uses it can check:
  /// ``Transaction/use(_:in:now:)``.
  ///
  /// - Parameters:
  ///   - uid: The account that has to have the passkey; nil: the one of the challenge, or any.
  ///   - limiter: Is checked before anything is computed. It counts nothing.
  /// - Throws: ``AccountsError/passkeyNotFound``, ``AccountsError/authenticatorResponse(_:)``,
  ///   ``AccountsError/passkeysDisabled``, and what `limiter` throws.
  func verify(
    _ assertion: PasskeyAssertion, for use: PasskeyChallengeCodec.Use, of uid: UID? = nil,
    countedBy limiter: RateLimiter = .none, in project: Project, now: Date
  ) async throws -> VerifiedPasskey {
    let party = try project.relyingParty()
    let found = try await store.read { transaction in
      try limiter.check(transaction, in: project.id, now: now)
      return try transaction.passkey(assertion.credentialID, in: project.id)
    }
    guard let (passkey, owner) = found else { throw AccountsError.passkeyNotFound }
    do throws(WebAuthnFault) {
      let challenge = try ClientData.challenge(in: assertion.clientDataJSON)
      let (expected, spending) = try passkeyChallenges.assertion(
        in: challenge, for: use, project: project.id, now: now)
      guard expected ?? owner == owner, uid ?? owner == owner else { throw .otherAccount }
      // "If the user was not identified before the authentication ceremony was initiated, verify that
      // response.userHandle is present" (§7.2).
      guard
        assertion.userHandle ?? (expected == nil ? nil : passkey.userHandle) == passkey.userHandle
      else { throw .userHandle }
      let data = try PasskeyCeremony(challenge: challenge, relyingParty: party).verifyAssertion(
        by: try COSEKey(passkey.publicKey), clientDataJSON: assertion.clientDataJSON,
        authenticatorData: assertion.authenticatorData, signature: assertion.signature)
      guard data.flags.contains(.backupEligible) == passkey.isBackupEligible else {
        throw .backupFlags
      }
      return VerifiedPasskey(uid: owner, passkey: passkey, data: data, spending: spending)
    } catch {
      throw AccountsError.authenticatorResponse(error)
    }
  }
}

/// An assertion whose signature, challenge and user are verified. Only ``AccountsService`` creates it.
struct VerifiedPasskey: Sendable {
  /// The account that has the passkey.
  let uid: UID
  fileprivate let passkey: Passkey
  fileprivate let data: AuthenticatorData
  fileprivate let spending: SingleUseToken

  /// The authenticator has checked a PIN or biometrics: the passkey counts as two factors.
  var isUserVerified: Bool { data.flags.contains(.userVerified) }

  fileprivate init(uid: UID, passkey: Passkey, data: AuthenticatorData, spending: SingleUseToken) {
    self.uid = uid
    self.passkey = passkey
    self.data = data
    self.spending = spending
  }
}

extension Transaction {
  /// Uses up the challenge, and stores the counter and the backup state.
  ///
  /// - Returns: The passkey as it is stored now.
  /// - Throws: ``AccountsError/passkeyNotFound`` if the passkey was removed;
  ///   ``AccountsError/authenticatorResponse(_:)`` if the challenge was used or the counter went back. Then
  ///   call ``AccountsService/recordCounter(of:in:now:)``.
  func use(
    _ verified: VerifiedPasskey, in project: ProjectID, now: Date
  ) throws -> Passkey {
    guard let (stored, uid) = try passkey(verified.passkey.credentialID, in: project),
      uid == verified.uid, stored.publicKey == verified.passkey.publicKey
    else { throw AccountsError.passkeyNotFound }
    guard try spend(verified.spending, in: project) else {
      throw AccountsError.authenticatorResponse(.challengeUsed)
    }
    let count = verified.data.signCount
    // "If authData.signCount is nonzero or credentialRecord.signCount is nonzero … less than or equal to …
    // This is a signal … that the authenticator may be cloned" (§7.2).
    guard count > stored.signCount || (count == 0 && stored.signCount == 0) else {
      throw AccountsError.authenticatorResponse(.counter)
    }
    var passkey = stored
    passkey.signCount = count
    passkey.isBackedUp = verified.data.flags.contains(.backedUp)
    passkey.lastUsedAt = now.wholeMilliseconds
    try update(passkey, in: project)
    return passkey
  }
}

extension Passkey {
  /// A passkey whose authenticator verified the user counts as both factors. One that an old session added doesn't:
  /// a thief may have added it.
  fileprivate func asBothFactors(in verified: VerifiedPasskey) -> PresentedFactor? {
    verified.isUserVerified ? asSecondFactor : nil
  }

  /// Nil for a passkey that is unconfirmed.
  var asSecondFactor: PresentedFactor? {
    unconfirmedSince == nil
      ? PresentedFactor(.passkey, id: Data(credentialID).base64EncodedString()) : nil
  }
}

extension AccountsError {
  fileprivate var isFaultOfAssertion: Bool {
    switch self {
    case .passkeyNotFound, .authenticatorResponse: true
    default: false
    }
  }
}
