package import GatehouseTokens

package import struct Foundation.Date

/// A provider's keys at the time of a fetch.
package struct KeySnapshot: Sendable {
  /// Nil if the endpoints are pinned.
  package var metadata: ProviderMetadata?
  package var keys: KeySet
  package var fetchedAt: Date
  package var lifetimeSeconds: Int
  /// The number of this fetch of the source; set by ``RemoteKeyState``.
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

  /// From this time the keys are fetched again, while these are still used.
  package var refreshAt: Date { fetchedAt.addingTimeInterval(Double(lifetimeSeconds) * 0.8) }
}
