import Foundation
package import GatehouseProtocol

/// The text of an action code, as a client presents it.
package enum PresentedCode {
  /// The code in a link.
  case linked(digest: [UInt8])
  /// The six digits in an email, with the id of their session: `<id>.<digits>`. In this form every
  /// request that accepts a code accepts the digits, and every SDK can send them.
  case typed(id: String, session: [UInt8], digits: Secret<String>)

  /// The text of ``typed(id:session:digits:)``.
  package static func text(sessionID: String, digits: TypedDigits) -> String {
    "\(sessionID).\(digits.text)"
  }

  /// Nil for a text that can't be a code.
  init?(_ text: String) {
    // The code in a link has no dot: it is base64url. The search is for a byte. Character by character
    // and backwards it would take quadratic time for a row of flags, and this text is unchecked.
    guard let dot = text.utf8.lastIndex(of: UInt8(ascii: ".")) else {
      guard let digest = ActionCode.digest(of: text) else { return nil }
      self = .linked(digest: digest)
      return
    }
    let id = String(text[..<dot])
    guard let session = VerificationSession.digest(of: id),
      let code = VerificationCode(String(text[text.utf8.index(after: dot)...]))
    else { return nil }
    self = .typed(id: id, session: session, digits: code.secret)
  }
}

extension AccountsService {
  /// Runs `body` with the digest of the code, which `body` uses. A wrong code, and a wrong address for
  /// a right code, count as failed attempts.
  ///
  /// A link's 256 random bits can't be guessed. Attempts are nevertheless limited like guesses of
  /// passwords: an attacker with a stolen sign-in link could guess the address that it was sent to.
  ///
  /// Six digits can be guessed. They are compared, and a wrong guess is counted, in one transaction
  /// before `body` runs. So simultaneous requests allow no more guesses than successive ones.
  ///
  /// - Throws: ``AccountsError/tooManyAttempts``, ``AccountsError/invalidActionCode``,
  ///   ``AccountsError/expiredActionCode``, and what `body` throws.
  func using<Result: Sendable>(
    code text: String, from client: ClientAddress, in project: Project, now: Date,
    _ body: (_ digest: [UInt8]) async throws -> Result
  ) async throws -> Result {
    let limiter = RateLimiter.guess(of: nil, from: client, under: project.policies.rateLimits)
    try await store.read { try limiter.check($0, in: project.id, now: now) }
    do {
      return try await body(try await digest(ofCode: text, from: client, in: project, now: now))
    } catch let error as AccountsError where [.invalidActionCode, .emailMismatch].contains(error) {
      throw try await refusal(error, countedBy: limiter, in: project, now: now)
    }
  }

  private func digest(
    ofCode text: String, from client: ClientAddress, in project: Project, now: Date
  ) async throws -> [UInt8] {
    switch PresentedCode(text) {
    case nil: throw AccountsError.invalidActionCode
    case .linked(let digest): digest
    case .typed(let id, let session, let digits):
      // Returned, not thrown: an error would undo the count of the try.
      try await store.write { transaction -> Result<[UInt8], AccountsError> in
        guard let code = try transaction.actionCode(session: session, in: project.id) else {
          return .failure(.invalidActionCode)
        }
        return try transaction.compare(
          digits, id: id, with: code, from: client, in: project, now: now)
      }.get()
    }
  }
}

extension Transaction {
  /// - Returns: The digest of `code`, if the digits are those that were sent with it. Only the right
  ///   digits lead to ``AccountsError/expiredActionCode``: the response to wrong ones reveals nothing.
  /// - Throws: ``AccountsError/tooManyAttempts``; then nothing is counted.
  fileprivate func compare(
    _ digits: Secret<String>, id: String, with code: ActionCode, from client: ClientAddress,
    in project: Project, now: Date
  ) throws -> Result<[UInt8], AccountsError> {
    guard let session = code.session, session.tries < VerificationSession.maximumTries else {
      return .failure(.invalidActionCode)
    }
    let limiter = RateLimiter.wrongCode(
      ofEmailTo: code.recipient, under: project.policies.rateLimits)
    let ofClient = RateLimiter.wrongEmailedCode(from: client, under: project.policies.rateLimits)
    let ofProject = RateLimiter.wrongEmailedCode(under: project.policies.rateLimits)
    try limiter.check(self, in: project.id, now: now)
    try ofClient.check(self, in: project.id, now: now)
    try ofProject.check(self, in: project.id, now: now)
    let end = code.createdAt.addingTimeInterval(ActionCode.digitsLifetimeSeconds)
    // A void code is compared too, so that the response takes the same time.
    let isRight = session.isCode(digits, id: id)
    guard isRight, !code.isVoid else {
      try setTries(session.tries + 1, ofActionCode: session.digest, in: project.id)
      try limiter.count(self, in: project.id, now: now)
      try ofClient.count(self, in: project.id, now: now)
      try ofProject.count(
        self, hasEffect: !code.isVoid && now < end, in: project.id, now: now)
      return .failure(.invalidActionCode)
    }
    return now < end ? .success(code.digest) : .failure(.expiredActionCode)
  }
}
