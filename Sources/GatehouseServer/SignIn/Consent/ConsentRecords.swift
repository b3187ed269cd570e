package import GatehouseModel

/// Users' consents. They are deleted with the account.
package protocol ConsentRecords {
  /// Stores the consent. Keeps only the account's newest ``Consent/maximumPerAccount``.
  ///
  /// - Throws: ``StoreError/damaged(_:)`` if there is no such account.
  func record(_ consent: Consent, of uid: UID, in project: ProjectID) throws

  /// Oldest first; empty for an account that doesn't exist.
  func consents(of uid: UID, in project: ProjectID) throws -> [Consent]

  func deleteConsents(of uid: UID, in project: ProjectID) throws
}
