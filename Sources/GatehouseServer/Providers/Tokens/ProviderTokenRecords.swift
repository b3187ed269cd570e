package import GatehouseModel

package import struct Foundation.Date

/// Providers' refresh tokens: see ``ProviderToken``. They are deleted with the account.
package protocol ProviderTokenRecords {
  /// Stores the token, in place of the account's earlier one of the same provider and client.
  ///
  /// - Throws: ``StoreError/damaged(_:)`` if there is no such account.
  func save(_ token: ProviderToken, in project: ProjectID) throws

  /// The account's tokens, without those that can't be read. Empty for an account that doesn't exist.
  func providerTokens(of uid: UID, in project: ProjectID) throws -> [ProviderToken]

  /// Deletes the account's tokens of the provider.
  func deleteProviderTokens(of uid: UID, provider: ProviderID, in project: ProjectID) throws

  /// Deletes the account's tokens of the provider that were obtained at `date` or before.
  func deleteProviderTokens(
    of uid: UID, provider: ProviderID, obtainedUntil date: Date, in project: ProjectID) throws

  /// Deletes the token, unless the account got another one of the same provider and client.
  ///
  /// - Returns: False if this token isn't stored any more.
  func deleteProviderToken(_ token: ProviderToken, in project: ProjectID) throws -> Bool

  /// Claims at most `limit` tokens of the provider, in all projects, that were last checked before
  /// `date`. Those that wait longest come first. Stores `now` as the time of their check, so that no
  /// other caller gets them. Returns them as they were before. Those that can't be read are left out.
  func claimProviderTokens(
    of provider: ProviderID, checkedBefore date: Date, now: Date, limit: Int
  ) throws -> [(project: ProjectID, token: ProviderToken)]

  /// Claims in the same way the tokens of one account.
  func claimProviderTokens(
    of uid: UID, provider: ProviderID, checkedBefore date: Date, now: Date, in project: ProjectID
  ) throws -> [ProviderToken]

  func countProviderTokens(in project: ProjectID) throws -> Int

  /// At most `limit` tokens in a fixed order, after the one at `position`. Those that can't be read are
  /// left out.
  ///
  /// - Returns: The tokens, and the position of the last one; nil at the end.
  func providerTokenPage(
    after position: Int64?, limit: Int, in project: ProjectID
  ) throws -> (tokens: [ProviderToken], position: Int64?)
}
