import Foundation
import GatehouseModel

/// The limits that one request falls under.
///
/// The first attempt opens a window; once as many as allowed were counted in it, what follows is
/// refused until it ends. A refused attempt isn't counted, so a window never grows: whoever is
/// locked out by somebody else's guessing waits for minutes, and stays signed in meanwhile.
///
/// An attempt is looked at twice: before its costly part, by a read, and in the transaction that
/// tells its outcome. The second look makes the limit exact, however many attempts run at once and
/// in however many processes: the outcome of an attempt beyond the limit is told to nobody, not even
/// of one with the right password.
struct RateLimiter: Sendable {
  private let limits: [Limit]

  private struct Limit: Sendable {
    let counter: AttemptCounter
    let maximum: Int
    let seconds: TimeInterval
    /// Whether a success makes up for the failures. Never an address's: whoever guesses would sign
    /// in to an account of their own between guesses.
    var endsWithSuccess = false
    /// What is thrown once it is reached.
    var refusal = AccountsError.tooManyAttempts
  }

  private static let guessSeconds: TimeInterval = 600
  private static let signUpSeconds: TimeInterval = 3600
  private static let daySeconds: TimeInterval = 86_400

  /// Counts nothing.
  static let none = RateLimiter(limits: [])
  var isNone: Bool { limits.isEmpty }

  /// For proofs that can be guessed: passwords and codes.
  ///
  /// - Parameter email: Whose; nil if the attempt names nobody.
  static func guess(
    of email: EmailAddress?, from client: ClientAddress, under limits: RateLimits
  ) -> RateLimiter {
    let address = Limit(
      counter: AttemptCounter(.failuresOfAddress, client), maximum: limits.failuresPerAddress,
      seconds: guessSeconds)
    guard let email else { return RateLimiter(limits: [address]) }
    let account = Limit(
      counter: AttemptCounter(.failuresOfAccount, email.text),
      maximum: limits.failuresPerAccount, seconds: guessSeconds, endsWithSuccess: true)
    return RateLimiter(limits: [account, address])
  }

  static func signUp(from client: ClientAddress, under limits: RateLimits) -> RateLimiter {
    RateLimiter(limits: [
      Limit(
        counter: AttemptCounter(.signUpsOfAddress, client), maximum: limits.signUpsPerAddress,
        seconds: signUpSeconds)
    ])
  }

  /// For codes by mail: whoever asks for many, for many addresses, is no person at a screen.
  static func codeRequest(from client: ClientAddress, under limits: RateLimits) -> RateLimiter {
    RateLimiter(limits: [
      Limit(
        counter: AttemptCounter(.codesOfAddress, client), maximum: limits.codesPerAddress,
        seconds: signUpSeconds)
    ])
  }

  /// For text messages, which cost money and whose recipients may earn by them. The narrowest limit is
  /// looked at first: what one number or client is refused doesn't touch the others.
  static func message(
    to number: PhoneNumber, from client: ClientAddress, under policy: PhonePolicy
  ) -> RateLimiter {
    RateLimiter(limits: [
      Limit(
        counter: AttemptCounter(.messagesOfNumber, number.text),
        maximum: policy.messagesPerNumber, seconds: signUpSeconds),
      Limit(
        counter: AttemptCounter(.messagesOfAddress, client),
        maximum: policy.messagesPerAddress, seconds: signUpSeconds),
      Limit(
        counter: AttemptCounter(.messagesOfRange, number.range),
        maximum: policy.messagesPerRange, seconds: signUpSeconds, refusal: .messageQuotaExceeded),
      Limit(
        counter: AttemptCounter(.messagesOfProject, ""),
        maximum: policy.messagesPerDay, seconds: daySeconds, refusal: .messageQuotaExceeded),
    ])
  }

  /// For codes of a number: many sessions don't multiply the guesses.
  static func wrongCode(
    of number: PhoneNumber, from client: ClientAddress, under policies: ProjectPolicies
  ) -> RateLimiter {
    RateLimiter(limits: [
      Limit(
        counter: AttemptCounter(.wrongCodesOfNumber, number.text),
        maximum: policies.phone.wrongCodesPerNumber, seconds: signUpSeconds,
        endsWithSuccess: true),
      Limit(
        counter: AttemptCounter(.failuresOfAddress, client),
        maximum: policies.rateLimits.failuresPerAddress, seconds: guessSeconds),
    ])
  }

  /// For accounts that one identity gets after it left another.
  static func recreation(of identity: ExternalIdentity, under limits: RateLimits) -> RateLimiter {
    RateLimiter(limits: [
      Limit(
        counter: AttemptCounter(
          .accountsOfIdentity, "\(identity.provider.text)/\(identity.subject.text)"),
        maximum: limits.signInsPerIdentity, seconds: signUpSeconds)
    ])
  }

  /// For what only a provider can tell from a guess: access tokens and codes.
  static func providerRefusal(from client: ClientAddress, under limits: RateLimits) -> RateLimiter {
    RateLimiter(limits: [
      Limit(
        counter: AttemptCounter(.providerRefusalsOfAddress, client),
        maximum: limits.failuresPerAddress, seconds: guessSeconds)
    ])
  }

  static func providerCall(by uid: UID, under limits: RateLimits) -> RateLimiter {
    RateLimiter(limits: [
      Limit(
        counter: AttemptCounter(.providerCallsOfAccount, uid.text),
        maximum: limits.providerCallsPerAccount, seconds: guessSeconds)
    ])
  }

  /// - Throws: ``AccountsError/tooManyAttempts``, or what a limit has instead, if one is reached.
  func check(_ transaction: any StoreTransaction, in project: ProjectID, now: Date) throws {
    for limit in limits {
      let attempts = try open(limit, transaction, project, now)
      if let attempts, attempts.count >= limit.maximum { throw limit.refusal }
    }
  }

  /// Counts one attempt under every limit.
  ///
  /// - Throws: ``AccountsError/tooManyAttempts``, and counts nothing, if one of them is reached.
  func count(_ transaction: any StoreTransaction, in project: ProjectID, now: Date) throws {
    try check(transaction, in: project, now: now)
    for limit in limits {
      var attempts =
        try open(limit, transaction, project, now)
        ?? Attempts(count: 0, endsAt: now.addingTimeInterval(limit.seconds))
      attempts.count += 1
      try transaction.save(attempts, of: limit.counter, in: project)
    }
  }

  /// Ends the windows of which a success makes up for the failures.
  ///
  /// - Throws: ``AccountsError/tooManyAttempts``, and ends nothing, if one of the limits is reached.
  func succeed(_ transaction: any StoreTransaction, in project: ProjectID, now: Date) throws {
    try check(transaction, in: project, now: now)
    for limit in limits where limit.endsWithSuccess {
      try transaction.deleteAttempts(limit.counter, in: project)
    }
  }

  /// A window that ends later than one that opens now was opened by a clock that went ahead: it
  /// counts for nothing, or it would lock somebody out for as long as the clock was wrong.
  private func open(
    _ limit: Limit, _ transaction: any StoreTransaction, _ project: ProjectID, _ now: Date
  ) throws -> Attempts? {
    guard let attempts = try transaction.attempts(limit.counter, in: project),
      attempts.endsAt > now, attempts.endsAt.timeIntervalSince(now) <= limit.seconds + 1
    else { return nil }
    return attempts
  }
}

extension AccountsService {
  /// Counts a failed attempt, durably.
  ///
  /// - Returns: What to throw: `refusal`, or ``AccountsError/tooManyAttempts`` if the attempt was
  ///   beyond the limit by the time it failed.
  func refusal(
    _ refusal: AccountsError, countedBy limiter: RateLimiter, in project: Project, now: Date
  ) async throws -> AccountsError {
    do {
      try await store.write { try limiter.count($0, in: project.id, now: now) }
      return refusal
    } catch AccountsError.tooManyAttempts {
      return .tooManyAttempts
    }
  }
}
