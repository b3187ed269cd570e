package import GatehouseProtocol

extension Store {
  /// Declares that the subjects of a provider's new issuer are the same users as at the old one.
  /// Only the operator can know this: no token shows it.
  ///
  /// Runs in transactions of a thousand identities, so that sign-ins can go on meanwhile. If it is
  /// interrupted, run it again.
  ///
  /// - Returns: How many identities were moved.
  package func moveIdentities(
    of provider: ProviderID, from old: String, to new: String, in project: ProjectID
  ) async throws -> Int {
    var total = 0
    var last: Subject?
    repeat {
      let page = try await write { [last] transaction in
        try transaction.moveIdentities(
          of: provider, from: old, to: new, after: last, limit: 1000, in: project)
      }
      total += page.moved
      last = page.last
    } while last != nil
    return total
  }
}
