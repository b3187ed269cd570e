package import Foundation
package import GatehouseModel

/// Accounts and their identities. Each account comes with its identities.
package protocol AccountRecords {
  func account(_ uid: UID, in project: ProjectID) throws -> Account?
  func account(email: EmailAddress, in project: ProjectID) throws -> Account?
  func account(phoneNumber: String, in project: ProjectID) throws -> Account?
  func account(
    provider: ProviderID, subject: Subject, in project: ProjectID
  ) throws -> Account?

  /// One of the accounts that have an identity with the address. Their own addresses may differ.
  func account(identityEmail email: EmailAddress, in project: ProjectID) throws -> Account?

  /// Writes the account and its identities, and replaces those stored under its id.
  ///
  /// - Throws: ``StoreError/conflict(_:)`` if an identity, the email address or the phone number
  ///   belongs to another account.
  func save(_ account: Account, in project: ProjectID) throws

  /// Sets the times that sign-ins and refreshes change; nil leaves a time as it is. No effect if the
  /// account doesn't exist.
  func touch(
    _ uid: UID, in project: ProjectID, lastLoginAt: Date?, lastRefreshAt: Date?
  ) throws

  /// Removes the account and its identities. The caller must end the account's sessions.
  func deleteAccount(_ uid: UID, in project: ProjectID) throws

  /// Withdraws the account's ``Account/deletionScheduledFor``.
  ///
  /// - Returns: False if its deletion wasn't scheduled.
  func keepScheduledAccount(_ uid: UID, in project: ProjectID) throws -> Bool

  /// At most `limit` accounts, in all projects, whose deletion is scheduled for `date` or earlier. The
  /// earliest come first.
  func accountsScheduledForDeletion(
    by date: Date, limit: Int
  ) throws -> [(project: ProjectID, uid: UID)]

  /// At most `limit` accounts in the order of their ids, beginning after `uid`.
  func accounts(after uid: UID?, limit: Int, in project: ProjectID) throws -> [Account]

  /// At most `limit` accounts in the order of their ids or in reverse order, without the first
  /// `offset` ones. The cost grows with `limit` and `offset`.
  func accounts(
    offset: Int, limit: Int, isDescending: Bool, in project: ProjectID
  ) throws -> [Account]

  /// Changes the issuer of the provider's identities from `old` to `new`, for at most `limit`
  /// identities in the order of their subjects, beginning after `subject`.
  ///
  /// - Returns: How many identities had the issuer `old`, and the last subject that was read. The
  ///   subject is nil at the end.
  func moveIdentities(
    of provider: ProviderID, from old: String, to new: String, after subject: Subject?, limit: Int,
    in project: ProjectID
  ) throws -> (moved: Int, last: Subject?)

  /// How many of the provider's identities have another issuer than `issuer`, counting at most
  /// `limit`. Identities without a known issuer aren't counted.
  func countIdentities(
    of provider: ProviderID, notFrom issuer: String, limit: Int, in project: ProjectID
  ) throws -> Int

  /// At most `limit` phone numbers in the order of their bytes, beginning after `number`, with their
  /// accounts.
  func phoneNumbers(
    after number: String?, limit: Int, in project: ProjectID
  ) throws -> [(number: String, uid: UID)]

  /// How many accounts the project has. The cost doesn't depend on the number.
  func accountCount(in project: ProjectID) throws -> Int
}
