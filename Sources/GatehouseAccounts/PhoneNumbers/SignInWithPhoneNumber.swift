package import Foundation
import GatehouseModel

extension AccountsService {
  /// Signs in, links or re-authenticates with a number that the user just proved to be theirs.
  ///
  /// A right code is used up, except where the request can be repeated: without the person's consent,
  /// or after too long a time since the sign-in. Each of these counts as a try of the session. A wrong
  /// code stays counted whatever comes after: for the session, the number and the client's address.
  ///
  /// - Throws: ``AccountsError/phoneSignInDisabled``; ``AccountsError/invalidSessionInfo`` for a
  ///   session that never was or was used; ``AccountsError/sessionExpired``, also after
  ///   ``PhoneVerification/maximumTries``; ``AccountsError/invalidCode``;
  ///   ``AccountsError/invalidTemporaryProof``; ``AccountsError/tooManyAttempts``;
  ///   ``AccountsError/userDisabled``; ``AccountsError/userNotFound`` for a re-authentication with a
  ///   number that isn't the account's; ``AccountsError/adminOnlyOperation`` where the project refuses
  ///   sign-up; for linking ``AccountsError/phoneNumberExists``,
  ///   ``AccountsError/providerAlreadyLinked``, ``AccountsError/credentialTooOld`` where a number is
  ///   replaced or the project wants a recent sign-in, ``AccountsError/consentRequired(_:)``; and what
  ///   ``caller(ofIDToken:in:now:)`` throws.
  package func signIn(
    with proof: PhoneProof, options: PhoneSignInOptions, in project: Project, now: Date
  ) async throws -> PhoneSignIn {
    guard project.policies.phone.isEnabled else { throw AccountsError.phoneSignInDisabled }
    let facts = try options.idToken.map { try sessions.verify($0, in: project, now: now) }
    switch proof {
    case .code(let sessionInfo, let code):
      let (outcome, number) = try await store.write { transaction in
        let caller = try facts.map { try transaction.caller($0, in: project.id) }
        return try VerificationWork(
          transaction: transaction, project: project, options: options, now: now
        ).use(sessionInfo, code: code, caller: caller)
      }.get()
      return try answer(outcome, number, in: project, now: now)
    case .temporary(let proof, let number):
      let verifiedAt = try temporaryProofs.verifiedAt(
        proof, of: number, project: project.id, now: now)
      let outcome = try await store.write { transaction in
        let caller = try facts.map { try transaction.caller($0, in: project.id) }
        return try PhoneSignInTransaction(
          transaction: transaction, project: project, number: number, verifiedAt: verifiedAt,
          isRepeated: true, options: options, now: now
        ).run(caller: caller)
      }
      return try answer(outcome, number, in: project, now: now)
    }
  }

  private func answer(
    _ outcome: PhoneSignInTransaction.Outcome, _ number: PhoneNumber, in project: Project, now: Date
  ) throws -> PhoneSignIn {
    switch outcome {
    case .signedIn(let account, let session, let isNew):
      let tokens = try sessions.tokens(for: account, session, in: project, now: now)
      return .signedIn(
        SignedIn(account: account, session: session, tokens: tokens, isNewUser: isNew), number)
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
  let transaction: any StoreTransaction
  let project: Project
  let options: PhoneSignInOptions
  let now: Date

  /// - Returns: A refusal that the transaction has to remember; it is thrown once that is durable.
  /// - Throws: ``AccountsError/tooManyAttempts``, which counts nothing.
  func use(
    _ sessionInfo: String, code: Secret<String>, caller: Caller?
  ) throws -> Result<(PhoneSignInTransaction.Outcome, PhoneNumber), AccountsError> {
    let policies = project.policies
    let address = RateLimiter.guess(of: nil, from: options.client, under: policies.rateLimits)
    try address.check(transaction, in: project.id, now: now)
    guard let digest = PhoneVerification.digest(of: sessionInfo),
      let verification = try transaction.phoneVerification(digest: digest, in: project.id)
    else {
      try address.count(transaction, in: project.id, now: now)
      return .failure(.invalidSessionInfo)
    }
    guard now < verification.expiresAt, verification.tries < PhoneVerification.maximumTries else {
      return .failure(.sessionExpired)
    }
    let number = verification.phoneNumber
    let guesses = RateLimiter.wrongCode(of: number, from: options.client, under: policies)
    try guesses.check(transaction, in: project.id, now: now)
    guard verification.isCode(code, sessionInfo: sessionInfo), isStillGood(verification) else {
      try transaction.setTries(
        verification.tries + 1, ofPhoneVerification: digest, in: project.id)
      try guesses.count(transaction, in: project.id, now: now)
      return .failure(.invalidCode)
    }
    try guesses.succeed(transaction, in: project.id, now: now)
    let work = PhoneSignInTransaction(
      transaction: transaction, project: project, number: number, verifiedAt: now,
      isRepeated: false, options: options, now: now)
    switch try transaction.attempt({ try work.run(caller: caller) }) {
    case .success(let outcome):
      try transaction.deletePhoneVerification(digest: digest, in: project.id)
      return .success((outcome, number))
    case .failure(let error as AccountsError):
      if error.leavesCode {
        try transaction.setTries(
          verification.tries + 1, ofPhoneVerification: digest, in: project.id)
      } else {
        try transaction.deletePhoneVerification(digest: digest, in: project.id)
      }
      return .failure(error)
    case .failure(let error): throw error
    }
  }

  /// A test number's fixed code is good no longer than the number is one.
  private func isStillGood(_ verification: PhoneVerification) -> Bool {
    !verification.isTest
      || project.policies.phone.testCode(of: verification.phoneNumber) != nil
  }
}

extension AccountsError {
  /// The same request can be made again, with something more.
  fileprivate var leavesCode: Bool {
    switch self {
    case .consentRequired, .credentialTooOld: true
    default: false
    }
  }
}
