import Foundation
import GatehouseProtocol

extension Account {
  /// Sets a number that the user just verified.
  ///
  /// - Parameter unconfirmedSince: Like ``LinkedIdentity/unconfirmedSince``.
  mutating func setPhoneNumber(_ number: PhoneNumber, unconfirmedSince: Date?, now: Date) {
    phoneNumber = number.text
    phoneLinkedAt = now.wholeMilliseconds
    phoneUnconfirmedSince = unconfirmedSince?.wholeMilliseconds
    assignedFields.remove(.phoneNumber)
  }

  mutating func removePhoneNumber() {
    phoneNumber = nil
    phoneLinkedAt = nil
    phoneUnconfirmedSince = nil
  }

  /// A text message can't be both factors.
  ///
  /// - Throws: ``AccountsError/phoneIsSecondFactor``.
  func refusePhoneAsFirstFactor(under policies: ProjectPolicies) throws(AccountsError) {
    let hasNumber = secondFactors?.factors.contains { $0.method == .phone } ?? false
    if policies.secondFactors.isEnabled, hasNumber { throw .phoneIsSecondFactor }
  }

  /// The authentication time of a sign-in with the account's number.
  func authenticationTimeByPhone(verifiedAt: Date) -> Date {
    phoneUnconfirmedSince.map { min($0, verifiedAt) } ?? verifiedAt
  }
}

extension Transaction {
  /// Invalidates all earlier temporary proofs of the account's number; see ``TemporaryProofCodec``.
  func detachPhoneNumber(of account: Account, in project: ProjectID, now: Date) throws {
    guard let subject = account.phoneNumber.flatMap({ Subject($0) }) else { return }
    try recordDetachment(
      of: .phone, subject: subject, in: project, at: now,
      keptUntil: now.addingTimeInterval(TemporaryProofCodec.lifetimeSeconds + 60))
  }
}
