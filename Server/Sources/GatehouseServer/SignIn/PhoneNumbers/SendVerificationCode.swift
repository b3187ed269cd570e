package import Foundation
import GatehouseProtocol
import Logging
import Metrics

/// `accounts:sendVerificationCode`: sends a code to a phone number.
///
/// Reveals nothing about accounts: the response is the same whether or not an account has the
/// number. The parameters with which Google's clients show that they are apps aren't required: the
/// limits of `PhonePolicy` apply to all clients.
struct SendVerificationCode: Endpoint {
  let services: APIServices
  private let metrics = VerificationCodeMetrics()

  init(services: APIServices) { self.services = services }

  var routes: [Route] {
    Route.account("sendVerificationCode", v3: "sendVerificationCode", answer)
  }

  func answer(_ call: Call) async throws -> Answer {
    let request = try call.request(SendVerificationCodeRequest.self)
    let project = try call.requireProject()
    // For a missing number too, Google's service and its emulator return INVALID_PHONE_NUMBER.
    let number = try PhoneNumber(checking: request.phoneNumber ?? "")
    do {
      let sessionInfo = try await services.accounts.sendVerificationCode(
        to: number, language: call.language, from: call.client, in: project, now: call.now)
      metrics.count(.sent)
      return Answer(SendVerificationCodeResponse(sessionInfo: sessionInfo))
    } catch let error as AccountsError {
      note(error, call, project)
      throw error
    }
  }

  private func note(_ error: AccountsError, _ call: Call, _ project: Project) {
    switch error {
    case .messageDeliveryMissing:
      metrics.count(.undelivered)
      call.logger.error(
        """
        a verification code was requested, but the project has no webhook to send it; set one \
        with `gatehouse phone-numbers set --webhook URL`
        """,
        metadata: ["project": "\(project.id)"])
    case .messageQuotaExceeded:
      metrics.count(.limited)
      call.logger.warning(
        """
        the limit of text messages for a day or for a range of numbers is reached; see \
        phone.messagesPerDay and phone.messagesPerRange in `gatehouse projects show`
        """,
        metadata: ["project": "\(project.id)"])
    case .messageNotDelivered: metrics.count(.undelivered)
    case .tooManyAttempts: metrics.count(.limited)
    default: metrics.count(.refused)
    }
  }
}

/// Counts the outcomes of requests for codes. Phone numbers and projects aren't labels.
struct VerificationCodeMetrics: Sendable {
  enum Outcome: String, CaseIterable {
    case sent, limited, undelivered, refused
  }

  private let counters = Metric.verificationCodes.counters("outcome", Outcome.allCases)

  func count(_ outcome: Outcome) { counters[outcome]?.increment() }
}

extension AccountsService {
  /// Sends a code to a number. The response and its time are the same whether or not an account has
  /// the number.
  ///
  /// A test number gets its fixed code and no message. Earlier codes to the number stay valid.
  /// Otherwise anyone who knows the number could void its user's code by requesting another one.
  ///
  /// A message that can't be delivered counts like any other, because it may have been sent. If it certainly
  /// was not, only the number and the client keep the count.
  ///
  /// - Parameter language: The language that the client requests, a tag of RFC 5646.
  /// - Returns: The id of the verification session (`sessionInfo`). It belongs to the project and
  ///   the number and is valid for ten minutes.
  /// - Throws: ``AccountsError/phoneSignInDisabled``; ``AccountsError/phoneRegionDisabled`` for a
  ///   number without any of the prefixes in ``PhonePolicy/allowedPrefixes``;
  ///   ``AccountsError/messageDeliveryMissing`` and ``AccountsError/messageNotDelivered``;
  ///   ``AccountsError/tooManyAttempts`` for a number or a client,
  ///   ``AccountsError/messageQuotaExceeded`` for a range of numbers or the project.
  package func sendVerificationCode(
    to number: PhoneNumber, language: String?, from client: ClientAddress, in project: Project,
    now: Date
  ) async throws -> String {
    guard project.policies.phone.isEnabled else { throw AccountsError.phoneSignInDisabled }
    return try await sendCode(to: number, language: language, from: client, in: project, now: now)
  }

  /// Like ``sendVerificationCode(to:language:from:in:now:)``, whether or not users may sign in with a number.
  ///
  /// - Parameter uid: As in ``RateLimiter/message(to:asFactorOf:from:under:)``.
  func sendCode(
    to number: PhoneNumber, asFactorOf uid: UID? = nil, language: String?,
    from client: ClientAddress, in project: Project,
    now: Date
  ) async throws -> String {
    let policy = project.policies.phone
    if let testCode = policy.testCode(of: number).flatMap({ VerificationCode($0) }) {
      let (record, sessionInfo) = PhoneVerification.begin(
        number, code: testCode, isTest: true, isRevealed: phoneCodes.keepsCodes, now: now)
      // No message is sent, so the request costs no money. But it writes rows.
      let limiter = RateLimiter.codeRequest(from: client, under: project.policies.rateLimits)
      try await write(countedBy: limiter, in: project, now: now) { transaction in
        try transaction.insert(record, in: project.id)
      }
      return sessionInfo
    }
    guard policy.allows(number) else {
      // Counted too. Otherwise an attacker could try many numbers and find the test numbers, which
      // are accepted.
      let limiter = RateLimiter.codeRequest(from: client, under: project.policies.rateLimits)
      try await write(countedBy: limiter, in: project, now: now) { _ in }
      throw AccountsError.phoneRegionDisabled
    }
    let code = VerificationCode.random()
    let (record, sessionInfo) = PhoneVerification.begin(
      number, code: code, isTest: false, isRevealed: phoneCodes.keepsCodes, now: now)
    let phoneCodes = phoneCodes
    let webhook = try await store.read { try $0.codeWebhook(of: project.id) }
    // Checked before the attempt is counted, because nothing will be sent.
    try phoneCodes.requireDelivery(webhook)
    let limiter = RateLimiter.message(
      to: number, asFactorOf: uid, from: client, under: policy)
    try await write(countedBy: limiter, in: project, now: now) { transaction in
      try transaction.insert(record, in: project.id)
    }
    let failure = try await phoneCodes.deliver(
      PhoneCodeMessage(
        project: project.id, appName: project.displayName ?? project.id.text, phoneNumber: number,
        code: code.secret, language: language, createdAt: record.createdAt,
        expiresAt: record.expiresAt),
      by: webhook)
    guard let failure else { return sessionInfo }
    if failure.isUnsent {
      let shared = RateLimiter.sentMessage(to: number, under: policy)
      try await store.write {
        try shared.giveBack(countedAt: now, $0, in: project.id, now: now)
      }
    }
    throw AccountsError.messageNotDelivered
  }

  /// The codes that can be listed, oldest first: those created with `--dev`.
  ///
  /// - Parameter limit: How many stored codes are read.
  package func listedPhoneVerifications(
    limit: Int, in project: Project, now: Date
  ) async throws -> [PhoneVerification] {
    try await store.read { try $0.phoneVerifications(limit: limit, in: project.id) }
      .filter { $0.revealed != nil && now < $0.expiresAt }
  }
}
