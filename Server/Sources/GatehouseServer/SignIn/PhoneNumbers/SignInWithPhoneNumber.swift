package import Foundation
package import GatehouseProtocol

/// `accounts:signInWithPhoneNumber` (v3 `verifyPhoneNumber`): signs in, links or re-authenticates
/// with the code that was sent to a number.
///
/// If another account has the number to be linked, the response has status 200, a `temporaryProof`
/// and no tokens. With this proof and the `phoneNumber`, the same method signs in to that account.
struct SignInWithPhoneNumber: Endpoint {
  let services: APIServices

  var routes: [Route] {
    Route.signIn("signInWithPhoneNumber", v3: "verifyPhoneNumber", answer)
  }

  func answer(_ call: Call) async throws -> Answer {
    let request = try call.request(SignInWithPhoneNumberRequest.self)
    let project = try call.requireProject()
    if !project.policies.phone.isEnabled { throw AccountsError.phoneSignInDisabled }
    let proof = try Self.proof(request)
    var options = PhoneSignInOptions(
      operation: try Self.operation(request), idToken: request.idToken)
    options.consent = try request.consent.map { try GivenConsent(checking: $0) }
    options.client = call.client
    options.language = call.language
    switch try await services.accounts.signIn(
      with: proof, options: options, in: project, now: call.now)
    {
    case .ended(.signedIn(let signedIn), let number):
      return Answer(
        SignInWithPhoneNumberResponse(
          phoneNumber: number.text,
          outcome: .signedIn(
            localID: signedIn.account.uid.text, isNewUser: signedIn.isNewUser,
            tokens: signedIn.tokens)))
    case .ended(.secondFactorNeeded(let demand), let number):
      return Answer(
        SignInWithPhoneNumberResponse(
          phoneNumber: number.text,
          outcome: .secondFactorNeeded(
            PendingSecondFactor(demand), localID: demand.account.uid.text)))
    case .numberInUse(let number, let proof, let seconds):
      return Answer(
        SignInWithPhoneNumberResponse(
          phoneNumber: number.text, outcome: .temporaryProof(proof, expiresInSeconds: seconds)))
    }
  }

  private static func proof(
    _ request: SignInWithPhoneNumberRequest
  ) throws(APIError) -> PhoneProof {
    if let proof = request.temporaryProof {
      guard let number = request.phoneNumber else { throw .refused(.missingPhoneNumber) }
      return .temporary(proof: proof, of: try PhoneNumber(checking: number))
    }
    guard let sessionInfo = request.sessionInfo else { throw .refused(.missingSessionInfo) }
    guard let code = request.code else { throw .refused(.missingCode) }
    return .code(sessionInfo: sessionInfo, code: Secret(code))
  }

  private static func operation(
    _ request: SignInWithPhoneNumberRequest
  ) throws(APIError) -> PhoneOperation {
    switch request.operation {
    case nil, .signUpOrIn: return .signInOrUpdate
    case .reauthenticate: return .reauthenticate
    case .link, .update:
      guard request.idToken != nil else { throw .refused(.missingIDToken) }
      return request.operation == .link ? .link : .signInOrUpdate
    }
  }
}

/// How a user verifies a number.
package enum PhoneProof: Sendable {
  /// The session id that ``AccountsService/sendVerificationCode(to:language:from:in:now:)``
  /// returned, and the code in the message.
  case code(sessionInfo: String, code: Secret<String>)
  /// The proof of an earlier ``PhoneSignIn/numberInUse(_:temporaryProof:expiresInSeconds:)``.
  case temporary(proof: String, of: PhoneNumber)
}

/// What the verified number is used for.
package enum PhoneOperation: Hashable, Sendable {
  /// To sign in to the number's account, or create one. With an ID token: to set the number in the
  /// token's account, even if the account has another number.
  case signInOrUpdate
  /// To link a number to an account that has none.
  case link
  /// To sign in to the number's account; none is created.
  case reauthenticate
}

/// The options of a request with a verified number.
package struct PhoneSignInOptions: Sendable {
  package var operation: PhoneOperation
  /// The ID token of the account to which the number is linked, or that is re-authenticated.
  package var idToken: String?
  /// What the user agreed to; needed for linking if the project's policy requires consent.
  package var consent: GivenConsent?
  package var client = ClientAddress.unknown
  /// The language that the request names, as a BCP 47 tag.
  package var language: String?

  package init(operation: PhoneOperation = .signInOrUpdate, idToken: String? = nil) {
    self.operation = operation
    self.idToken = idToken
  }
}

/// The result of a request with a verified number.
package enum PhoneSignIn: Sendable {
  case ended(SignInResult, PhoneNumber)
  /// Another account has the number. The code is used up, and nothing else was changed. With the
  /// proof the user can sign in to that account without another message.
  case numberInUse(PhoneNumber, temporaryProof: String, expiresInSeconds: Int)
}

extension AccountsService {
  /// Signs in, links or re-authenticates with a number that the user just verified.
  ///
  /// A right code is used up, except in three cases, in which the client can repeat the request with the
  /// code: the request lacked the user's consent, the sign-in was too long ago, or a blocking function
  /// refused the request. Each such request counts as a try of the session. A wrong code counts for the
  /// session, the number and the client address.
  ///
  /// - Throws: ``AccountsError/phoneSignInDisabled``; ``AccountsError/invalidSessionInfo`` for a
  ///   session that does not exist or was used; ``AccountsError/sessionExpired``, also after
  ///   ``VerificationSession/maximumTries``; ``AccountsError/invalidCode``;
  ///   ``AccountsError/invalidTemporaryProof``; ``AccountsError/tooManyAttempts``;
  ///   ``AccountsError/userDisabled``; ``AccountsError/userNotFound`` for a re-authentication with
  ///   a number that isn't the account's; ``AccountsError/adminOnlyOperation`` if the project
  ///   refuses sign-up; for linking ``AccountsError/phoneNumberExists``,
  ///   ``AccountsError/providerAlreadyLinked``, ``AccountsError/credentialTooOld`` if a number is
  ///   replaced or the project requires a recent sign-in, ``AccountsError/consentRequired(_:)``;
  ///   ``AccountsError/blockedByFunction(_:)``; ``AccountsError/overloaded``; and what
  ///   ``currentUser(ofIDToken:in:now:)`` throws.
  package func signIn(
    with proof: PhoneProof, options: PhoneSignInOptions, in project: Project, now: Date
  ) async throws -> PhoneSignIn {
    guard project.policies.phone.isEnabled else { throw AccountsError.phoneSignInDisabled }
    let facts = try options.idToken.map { try sessions.verify($0, in: project, now: now) }
    let context = BlockingContext(
      method: ProviderID.phone.text, client: options.client, language: options.language)
    switch proof {
    case .code(let sessionInfo, let code):
      let (outcome, number) = try await write(asking: context, in: project, now: now) {
        transaction, gate in
        let user = try facts.map { try transaction.currentUser($0, in: project.id) }
        return try VerificationWork(
          transaction: transaction, project: project, options: options, gate: gate, now: now
        ).use(sessionInfo, code: code, user: user)
      }.get()
      return try answer(outcome, number, in: project, now: now)
    case .temporary(let proof, let number):
      let verifiedAt = try temporaryProofs.verifiedAt(
        proof, of: number, project: project.id, now: now)
      let outcome = try await write(asking: context, in: project, now: now) { transaction, gate in
        let user = try facts.map { try transaction.currentUser($0, in: project.id) }
        return try PhoneSignInTransaction(
          transaction: transaction, project: project, number: number, verifiedAt: verifiedAt,
          isRepeated: true, options: options, gate: gate, now: now
        ).run(user: user)
      }
      return try answer(outcome, number, in: project, now: now)
    }
  }

  private func answer(
    _ outcome: PhoneSignInTransaction.Outcome, _ number: PhoneNumber, in project: Project, now: Date
  ) throws -> PhoneSignIn {
    switch outcome {
    case .ended(let ending): return .ended(try result(of: ending, in: project, now: now), number)
    case .numberInUse:
      return .numberInUse(
        number,
        temporaryProof: try temporaryProofs.proof(of: number, verifiedAt: now, project: project.id),
        expiresInSeconds: Int(TemporaryProofCodec.lifetimeSeconds))
    }
  }

  private var temporaryProofs: TemporaryProofCodec { TemporaryProofCodec(box: pendingTokens.box) }
}

/// The transaction behind presenting a code.
private struct VerificationWork {
  let transaction: Transaction
  let project: Project
  let options: PhoneSignInOptions
  let gate: BlockingGate
  let now: Date

  /// - Returns: The outcome, or a refusal. The caller throws the refusal only after the transaction is
  ///   durable, because the transaction counts the attempt.
  /// - Throws: ``AccountsError/tooManyAttempts``; then nothing is counted.
  func use(
    _ sessionInfo: String, code: Secret<String>, user: CurrentUser?
  ) throws -> Result<(PhoneSignInTransaction.Outcome, PhoneNumber), AccountsError> {
    let verification: PhoneVerification
    switch try transaction.check(
      code, of: sessionInfo, from: options.client, in: project, now: now)
    {
    case .failure(let refusal): return .failure(refusal)
    case .success(let checked): verification = checked
    }
    let (number, session) = (verification.phoneNumber, verification.session)
    let work = PhoneSignInTransaction(
      transaction: transaction, project: project, number: number, verifiedAt: now,
      isRepeated: false, options: options, gate: gate, now: now)
    switch try transaction.attempt({ try work.run(user: user) }) {
    case .success(let outcome):
      try transaction.deletePhoneVerification(digest: session.digest, in: project.id)
      return .success((outcome, number))
    case .failure(let error as AccountsError):
      if error.leavesCode {
        try transaction.setTries(
          session.tries + 1, ofPhoneVerification: session.digest, in: project.id)
      } else {
        try transaction.deletePhoneVerification(digest: session.digest, in: project.id)
      }
      return .failure(error)
    case .failure(let error): throw error
    }
  }
}

extension Transaction {
  /// Checks a code that was sent to a number. A wrong one counts for its session, the number and the client
  /// address; a right one stays usable until the caller deletes its session.
  ///
  /// - Parameter limiter: Counts wrong codes in place of the number. Nil: the number counts them.
  /// - Returns: The session, or a refusal. The caller throws the refusal only after the transaction is
  ///   durable, because the transaction counts the attempt.
  /// - Throws: ``AccountsError/tooManyAttempts``; then nothing is counted.
  func check(
    _ code: Secret<String>, of sessionInfo: String, countedBy limiter: RateLimiter? = nil,
    from client: ClientAddress, in project: Project, now: Date
  ) throws -> Result<PhoneVerification, AccountsError> {
    let policies = project.policies
    let address = RateLimiter.guess(of: nil, from: client, under: policies.rateLimits)
    try address.check(self, in: project.id, now: now)
    guard let digest = VerificationSession.digest(of: sessionInfo),
      let verification = try phoneVerification(digest: digest, in: project.id)
    else {
      try address.count(self, in: project.id, now: now)
      return .failure(.invalidSessionInfo)
    }
    let session = verification.session
    guard now < verification.expiresAt, session.tries < VerificationSession.maximumTries else {
      return .failure(.sessionExpired)
    }
    let guesses =
      limiter
      ?? .wrongCode(of: verification.phoneNumber, from: client, under: policies)
    try guesses.check(self, in: project.id, now: now)
    // A fixed code is valid only while its number is a test number.
    let isStillGood =
      !verification.isTest || policies.phone.testCode(of: verification.phoneNumber) != nil
    guard session.isCode(code, id: sessionInfo), isStillGood else {
      try setTries(session.tries + 1, ofPhoneVerification: digest, in: project.id)
      try guesses.count(self, in: project.id, now: now)
      return .failure(.invalidCode)
    }
    try guesses.succeed(self, in: project.id, now: now)
    return .success(verification)
  }
}

extension AccountsError {
  /// Whether the client can repeat the request with the same code: with the user's consent, after a recent
  /// sign-in, or when a blocking function allows it.
  fileprivate var leavesCode: Bool {
    switch self {
    case .consentRequired, .credentialTooOld, .blockedByFunction: true
    default: false
    }
  }
}
