package import struct Foundation.Date

/// A key set as it was fetched. `Metadata` is the document that named its URL, such as an issuer's
/// discovery document; `Never` if the URL is configured.
package struct CachedKeySet<Metadata: Sendable>: Sendable {
  /// Nil if the URL of the keys is configured.
  package let metadata: Metadata?
  package let keys: KeySet
  package let fetchedAt: Date
  package let lifetimeSeconds: Int
  /// The number of this fetch, from 1; assigned by ``KeyCacheState``.
  package internal(set) var generation = 0

  package init(
    metadata: Metadata? = nil, keys: KeySet, fetchedAt: Date, lifetimeSeconds: Int
  ) {
    self.metadata = metadata
    self.keys = keys
    self.fetchedAt = fetchedAt
    self.lifetimeSeconds = lifetimeSeconds
  }

  package var expiresAt: Date { fetchedAt.addingTimeInterval(Double(lifetimeSeconds)) }

  /// From this time on the keys are fetched again, while these are still used.
  package var refreshAt: Date { fetchedAt.addingTimeInterval(Double(lifetimeSeconds) * 0.8) }
}
