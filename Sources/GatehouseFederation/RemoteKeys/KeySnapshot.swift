package import GatehouseTokens

package import struct Foundation.Date

/// A provider's keys as they were fetched.
package struct KeySnapshot: Sendable {
  /// Nil where the endpoints are pinned.
  package var metadata: ProviderMetadata?
  package var keys: KeySet
  package var fetchedAt: Date
  package var lifetimeSeconds: Int
  /// Counts the fetches of one source; given by ``RemoteKeyState``.
  package var generation = 0

  package init(
    metadata: ProviderMetadata? = nil, keys: KeySet, fetchedAt: Date, lifetimeSeconds: Int
  ) {
    self.metadata = metadata
    self.keys = keys
    self.fetchedAt = fetchedAt
    self.lifetimeSeconds = lifetimeSeconds
  }

  package var expiresAt: Date { fetchedAt.addingTimeInterval(Double(lifetimeSeconds)) }

  /// From here on the keys are fetched anew, while these are still used.
  package var refreshAt: Date { fetchedAt.addingTimeInterval(Double(lifetimeSeconds) * 0.8) }
}
