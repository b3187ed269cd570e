package import Foundation
package import GatehouseModel

/// Codes that were sent to numbers and not used. Expired ones are kept for a day.
package protocol PhoneVerificationRecords {
  func insert(_ verification: PhoneVerification, in project: ProjectID) throws

  /// - Parameter digest: The SHA-256 of the session's id.
  func phoneVerification(digest: [UInt8], in project: ProjectID) throws -> PhoneVerification?

  /// No effect if there is none.
  func setTries(_ tries: Int, ofPhoneVerification digest: [UInt8], in project: ProjectID) throws

  /// No effect if there is none.
  func deletePhoneVerification(digest: [UInt8], in project: ProjectID) throws

  /// At most `limit`, oldest first.
  func phoneVerifications(limit: Int, in project: ProjectID) throws -> [PhoneVerification]

  /// Removes at most `limit` codes that expired before the time; returns how many were removed.
  func sweepPhoneVerifications(expiredBefore: Date, limit: Int) throws -> Int
}

/// The webhooks that receive projects' codes.
package protocol CodeWebhookRecords {
  func codeWebhook(of project: ProjectID) throws -> CodeWebhook?

  /// Writes the webhook with its secret encrypted, and replaces the stored one. Increases
  /// ``Store/changeCounter()``.
  ///
  /// - Throws: ``StoreError/conflict(_:)`` with `project` if there is no such project.
  func save(_ webhook: CodeWebhook, of project: ProjectID) throws

  /// False if there was none. Increases ``Store/changeCounter()``.
  func deleteCodeWebhook(of project: ProjectID) throws -> Bool
}
