import Foundation
import GatehouseProtocol

/// The limits that apply to one request.
///
/// The first attempt opens a window. When the maximum is counted, further attempts are refused
/// until the window ends. A refused attempt isn't counted, so a window never grows. A user who is
/// locked out by an attacker's guesses waits until the window ends, and stays signed in on the devices
/// that are signed in.
///
/// An attempt with a costly part, such as the hash of a password, is checked twice: by a read before
/// that part, and in the transaction that produces its result. The second check makes the limit exact
/// for any number of concurrent attempts and processes. The result of an attempt beyond the limit is
/// never revealed, even if the password is right.
struct RateLimiter: Sendable {
  private let limits: [Limit]

  private struct Limit: Sendable {
    let counter: AttemptCounter
    let maximum: Int
    let seconds: TimeInterval
    /// Whether a success resets the counter. Never true for a client address: an attacker would sign
    /// in to an account of their own between guesses.
    var endsWithSuccess = false
    /// The error that is thrown when the limit is reached.
    var refusal = AccountsError.tooManyAttempts
  }

  private static let guessSeconds: TimeInterval = 600
  private static let signUpSeconds: TimeInterval = 3600
  private static let daySeconds: TimeInterval = 86_400

  /// Counts nothing.
  static let none = RateLimiter(limits: [])
  var isNone: Bool { limits.isEmpty }

  /// For secrets that can be guessed: passwords and codes.
  ///
  /// - Parameter email: The account's address; nil if the attempt names no account.
  static func guess(
    of email: EmailAddress?, from client: ClientAddress, under limits: RateLimits
  ) -> RateLimiter {
    let address = ofAddress(
      .failuresOfAddress, client, limits.failuresPerAddress, seconds: guessSeconds)
    guard let email else { return RateLimiter(limits: address) }
    let account = Limit(
      counter: AttemptCounter(.failuresOfAccount, email.text),
      maximum: limits.failuresPerAccount, seconds: guessSeconds, endsWithSuccess: true)
    return RateLimiter(limits: [account] + address)
  }

  static func signUp(from client: ClientAddress, under limits: RateLimits) -> RateLimiter {
    RateLimiter(
      limits: ofAddress(
        .signUpsOfAddress, client, limits.signUpsPerAddress, seconds: signUpSeconds))
  }

  /// For sign-ins and links with a provider whose response reveals that an account exists.
  ///
  /// Beyond the limit, every request that could have such a response is refused, also a first sign-in of a
  /// user without an account. So these responses are counted separately from sign-ups: otherwise many
  /// sign-ups from one address would refuse other users' first sign-ins with a provider.
  static func disclosure(from client: ClientAddress, under limits: RateLimits) -> RateLimiter {
    RateLimiter(
      limits: ofAddress(
        .disclosuresOfAddress, client, limits.signUpsPerAddress, seconds: signUpSeconds))
  }

  /// For requests of codes: by mail, whether or not the address has an account, and for phone numbers to
  /// which no message is sent.
  static func codeRequest(from client: ClientAddress, under limits: RateLimits) -> RateLimiter {
    RateLimiter(
      limits: ofAddress(.codesOfAddress, client, limits.codesPerAddress, seconds: signUpSeconds))
  }

  /// For mails with codes. Requests that send none are checked like the others, and don't count:
  /// otherwise an attacker could keep all users from getting a mail, with made-up addresses. The same holds
  /// for a mail that a newer one replaces before it is sent.
  static func mailedCode(under limits: RateLimits) -> RateLimiter {
    RateLimiter(limits: [
      Limit(
        counter: AttemptCounter(.codesOfProject, ""), maximum: limits.codesPerProject,
        seconds: signUpSeconds)
    ])
  }

  /// The limit of a client's address, and that of its site.
  private static func ofAddress(
    _ kind: AttemptCounter.Kind, _ client: ClientAddress, _ maximum: Int, seconds: TimeInterval,
    siteFactor: Int = ClientAddress.siteFactor
  ) -> [Limit] {
    let address = Limit(
      counter: AttemptCounter(kind, client), maximum: maximum, seconds: seconds)
    guard let site = client.site else { return [address] }
    return [
      address,
      Limit(
        counter: AttemptCounter(kind, site), maximum: maximum * siteFactor,
        seconds: seconds),
    ]
  }

  /// For text messages, which cost money and by which recipients may earn money. The narrowest limits
  /// are checked first, so that the error is that of the narrowest limit that is reached.
  ///
  /// - Parameter uid: The account whose second factor the number is: only its user, who has shown the first
  ///   factor, can use up its messages. Nil: anyone who knows the number can.
  static func message(
    to number: PhoneNumber, asFactorOf uid: UID? = nil, from client: ClientAddress,
    under policy: PhonePolicy
  ) -> RateLimiter {
    let ofNumber = Limit(
      counter: uid.map { AttemptCounter(.messagesOfFactor, $0.text) }
        ?? AttemptCounter(.messagesOfNumber, number.text),
      maximum: policy.messagesPerNumber, seconds: signUpSeconds)
    return RateLimiter(
      limits: [ofNumber]
        + ofAddress(.messagesOfAddress, client, policy.messagesPerAddress, seconds: signUpSeconds)
        + sentMessage(to: number, under: policy).limits)
  }

  /// Those limits of ``message(to:asFactorOf:from:under:)`` that many users share. A message that was certainly not
  /// sent is given back to them: otherwise an attacker could keep all users from getting a message, with
  /// numbers that the receiver refuses.
  static func sentMessage(to number: PhoneNumber, under policy: PhonePolicy) -> RateLimiter {
    RateLimiter(limits: [
      Limit(
        counter: AttemptCounter(.messagesOfRange, number.range),
        maximum: policy.messagesPerRange, seconds: signUpSeconds, refusal: .messageQuotaExceeded),
      Limit(
        counter: AttemptCounter(.messagesOfProject, ""),
        maximum: policy.messagesPerDay, seconds: daySeconds, refusal: .messageQuotaExceeded),
    ])
  }

  /// For wrong codes of a number. Many verification sessions of the number don't allow more guesses.
  static func wrongCode(
    of number: PhoneNumber, from client: ClientAddress, under policies: ProjectPolicies
  ) -> RateLimiter {
    let number = Limit(
      counter: AttemptCounter(.wrongCodesOfNumber, number.text),
      maximum: policies.phone.wrongCodesPerNumber, seconds: signUpSeconds, endsWithSuccess: true)
    return RateLimiter(
      limits: [number]
        + ofAddress(
          .failuresOfAddress, client, policies.rateLimits.failuresPerAddress,
          seconds: guessSeconds))
  }

  /// For wrong six-digit codes of emails to an address. Neither a request for more codes nor a right
  /// code allows more guesses.
  static func wrongCode(ofEmailTo email: EmailAddress, under limits: RateLimits) -> RateLimiter {
    RateLimiter(limits: [
      Limit(
        counter: AttemptCounter(.wrongCodesOfEmail, email.text),
        maximum: limits.wrongCodesPerEmail, seconds: daySeconds)
    ])
  }

  /// For wrong six-digit codes of emails, from one client: also those at codes that nothing can be done
  /// with. Checked before the limit of the project, so that a client can't use that up.
  static func wrongEmailedCode(
    from client: ClientAddress, under limits: RateLimits
  ) -> RateLimiter {
    RateLimiter(
      limits: ofAddress(
        .wrongCodesOfAddress, client, limits.wrongCodesPerAddress, seconds: daySeconds,
        siteFactor: RateLimits.siteFactorOfWrongCodes))
  }

  /// For wrong six-digit codes of emails, of all addresses of a project. A guess at a code that nothing can
  /// be done with is checked like the others, and doesn't count: otherwise an attacker could refuse all
  /// users' right codes, by guesses at addresses without an account.
  static func wrongEmailedCode(under limits: RateLimits) -> RateLimiter {
    RateLimiter(limits: [
      Limit(
        counter: AttemptCounter(.wrongCodesOfProject, ""),
        maximum: limits.wrongCodesPerProject, seconds: daySeconds)
    ])
  }

  /// For wrong codes of authenticator apps, and wrong recovery codes. An attacker who has the password can
  /// request as many pending credentials as they like, so all of them count together. A right code ends only
  /// the shorter window: otherwise each sign-in of the user would give the attacker new guesses.
  static func secondFactor(
    of uid: UID, from client: ClientAddress, under limits: RateLimits
  ) -> RateLimiter {
    let account = Limit(
      counter: AttemptCounter(.wrongSecondFactorsOfAccount, uid.text),
      maximum: limits.failuresPerAccount, seconds: guessSeconds, endsWithSuccess: true)
    let day = Limit(
      counter: AttemptCounter(.wrongSecondFactorsOfDay, uid.text),
      maximum: limits.wrongCodesPerEmail, seconds: daySeconds)
    return RateLimiter(
      limits: [account, day]
        + ofAddress(.failuresOfAddress, client, limits.failuresPerAddress, seconds: guessSeconds))
  }

  /// For new accounts that are created for one identity after it left another account.
  static func recreation(of identity: ExternalIdentity, under limits: RateLimits) -> RateLimiter {
    RateLimiter(limits: [
      Limit(
        counter: AttemptCounter(
          .accountsOfIdentity, "\(identity.provider.text)/\(identity.subject.text)"),
        maximum: limits.signInsPerIdentity, seconds: signUpSeconds)
    ])
  }

  /// For access tokens and authorization codes that a provider rejected: only the provider can verify
  /// them.
  static func providerRefusal(from client: ClientAddress, under limits: RateLimits) -> RateLimiter {
    RateLimiter(
      limits: ofAddress(
        .providerRefusalsOfAddress, client, limits.failuresPerAddress, seconds: guessSeconds))
  }

  /// For requests that a blocking function refused.
  static func functionRefusal(from client: ClientAddress, under limits: RateLimits) -> RateLimiter {
    RateLimiter(
      limits: ofAddress(
        .functionRefusalsOfAddress, client, limits.failuresPerAddress, seconds: guessSeconds))
  }

  static func providerCall(by uid: UID, under limits: RateLimits) -> RateLimiter {
    RateLimiter(limits: [
      Limit(
        counter: AttemptCounter(.providerCallsOfAccount, uid.text),
        maximum: limits.providerCallsPerAccount, seconds: guessSeconds)
    ])
  }

  /// - Throws: ``AccountsError/tooManyAttempts``, or the limit's own error, if a limit is reached.
  func check(_ transaction: Transaction, in project: ProjectID, now: Date) throws {
    for limit in limits {
      let attempts = try open(limit, transaction, project, now)
      if let attempts, attempts.count >= limit.maximum { throw limit.refusal }
    }
  }

  /// Counts one attempt under every limit.
  ///
  /// - Parameter hasEffect: False for an attempt that doesn't count, but must take the same time.
  /// - Throws: ``AccountsError/tooManyAttempts``, or the limit's own error, and counts nothing, if
  ///   a limit is reached.
  func count(
    _ transaction: Transaction, hasEffect: Bool = true, in project: ProjectID, now: Date
  ) throws {
    try check(transaction, in: project, now: now)
    for limit in limits {
      var attempts =
        try open(limit, transaction, project, now)
        ?? Attempts(count: 0, endsAt: now.addingTimeInterval(limit.seconds))
      attempts.count += hasEffect ? 1 : 0
      try transaction.save(attempts, of: limit.counter, in: project)
    }
  }

  /// Takes back one attempt that was counted at `countedAt`. No effect on a window that opened later.
  func giveBack(
    countedAt: Date, _ transaction: Transaction, in project: ProjectID, now: Date
  ) throws {
    for limit in limits {
      guard var attempts = try open(limit, transaction, project, now), attempts.count > 0,
        attempts.endsAt.timeIntervalSince(countedAt) <= limit.seconds
      else { continue }
      attempts.count -= 1
      try transaction.save(attempts, of: limit.counter, in: project)
    }
  }

  /// Ends the windows of the limits that a success resets.
  ///
  /// - Throws: ``AccountsError/tooManyAttempts``, or the limit's own error, and ends nothing, if a
  ///   limit is reached.
  func succeed(_ transaction: Transaction, in project: ProjectID, now: Date) throws {
    try check(transaction, in: project, now: now)
    for limit in limits where limit.endsWithSuccess {
      try transaction.deleteAttempts(limit.counter, in: project)
    }
  }

  /// The open window, or nil. A window can have an end that is too late, because the clock was ahead when
  /// it opened. It is ignored: it could lock a user out for as long as the clock was ahead.
  private func open(
    _ limit: Limit, _ transaction: Transaction, _ project: ProjectID, _ now: Date
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
