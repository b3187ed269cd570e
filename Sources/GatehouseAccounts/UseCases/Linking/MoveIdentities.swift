package import GatehouseModel

extension Store {
  /// Says that the subjects of a provider's new issuer are the users that had the same subjects at
  /// the old one: the operator's word, because no token can say it.
  ///
  /// Runs in transactions of a thousand identities, so that sign-ins go on meanwhile. If it breaks
  /// off, it is run again.
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
