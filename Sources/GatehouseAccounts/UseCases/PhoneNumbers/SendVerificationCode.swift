package import Foundation
package import GatehouseModel

extension AccountsService {
  /// Sends a code to a number. What is answered, and how long it takes, is the same for a number that
  /// an account has and for one that none has.
  ///
  /// A test number gets its fixed code, and no message. Earlier codes to the number stay good: who
  /// knows a number could otherwise void its owner's code by asking for another.
  ///
  /// - Parameter language: The client's wish, a tag of RFC 5646.
  /// - Returns: The id of the verification session (`sessionInfo`), which belongs to the project and
  ///   the number, for ten minutes.
  /// - Throws: ``AccountsError/phoneSignInDisabled``; ``AccountsError/phoneRegionDisabled`` for a
  ///   number that begins with none of ``PhonePolicy/allowedPrefixes``;
  ///   ``AccountsError/messageDeliveryMissing`` and ``AccountsError/messageNotDelivered``;
  ///   ``AccountsError/tooManyAttempts`` for a number or a client,
  ///   ``AccountsError/messageQuotaExceeded`` for a range of numbers or the project.
  package func sendVerificationCode(
    to number: PhoneNumber, language: String?, from client: ClientAddress, in project: Project,
    now: Date
  ) async throws -> String {
    let policy = project.policies.phone
    guard policy.isEnabled else { throw AccountsError.phoneSignInDisabled }
    if let testCode = policy.testCode(of: number).flatMap({ VerificationCode($0) }) {
      let (record, sessionInfo) = PhoneVerification.begin(
        number, code: testCode, isTest: true, isRevealed: phoneCodes.keepsCodes, now: now)
      // No message, no cost; but rows.
      let limiter = RateLimiter.codeRequest(from: client, under: project.policies.rateLimits)
      try await write(countedBy: limiter, in: project, now: now) { transaction in
        try transaction.insert(record, in: project.id)
      }
      return sessionInfo
    }
    guard policy.allows(number) else {
      // Or who tries numbers finds the test numbers, which are answered.
      let limiter = RateLimiter.codeRequest(from: client, under: project.policies.rateLimits)
      try await write(countedBy: limiter, in: project, now: now) { _ in }
      throw AccountsError.phoneRegionDisabled
    }
    let code = VerificationCode.random()
    let (record, sessionInfo) = PhoneVerification.begin(
      number, code: code, isTest: false, isRevealed: phoneCodes.keepsCodes, now: now)
    let phoneCodes = phoneCodes
    let webhook = try await store.read { try $0.codeWebhook(of: project.id) }
    // Before it is counted: nothing will be sent.
    try phoneCodes.requireDelivery(webhook)
    let limiter = RateLimiter.message(to: number, from: client, under: policy)
    try await write(countedBy: limiter, in: project, now: now) { transaction in
      try transaction.insert(record, in: project.id)
    }
    try await phoneCodes.deliver(
      PhoneCodeMessage(
        project: project.id, appName: project.displayName ?? project.id.text, phoneNumber: number,
        code: code.secret, language: language, createdAt: record.createdAt,
        expiresAt: record.expiresAt),
      by: webhook)
    return sessionInfo
  }

  /// The codes that can be listed, oldest first: those that were made in `--dev`.
  ///
  /// - Parameter limit: Of those that are looked at.
  package func listedPhoneVerifications(
    limit: Int, in project: Project, now: Date
  ) async throws -> [PhoneVerification] {
    try await store.read { try $0.phoneVerifications(limit: limit, in: project.id) }
      .filter { $0.revealed != nil && now < $0.expiresAt }
  }
}
