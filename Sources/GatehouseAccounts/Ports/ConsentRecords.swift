package import GatehouseModel

/// What persons agreed to. Goes with the account.
package protocol ConsentRecords {
  /// Keeps the consent, and of the account's the newest ``Consent/maximumPerAccount``.
  ///
  /// - Throws: ``StoreError/damaged(_:)`` if there is no such account.
  func record(_ consent: Consent, of uid: UID, in project: ProjectID) throws

  /// Oldest first; empty for an account that doesn't exist.
  func consents(of uid: UID, in project: ProjectID) throws -> [Consent]

  func deleteConsents(of uid: UID, in project: ProjectID) throws
}
