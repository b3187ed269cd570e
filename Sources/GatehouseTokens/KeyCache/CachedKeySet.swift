public import struct Foundation.Date

/// A key set as it was fetched. `Metadata` is the document that named its URL, such as an issuer's
/// discovery document; `Never` if the URL is configured.
public struct CachedKeySet<Metadata: Sendable>: Sendable {
  /// Nil if the URL of the keys is configured.
  public let metadata: Metadata?
  public let keys: KeySet
  public let fetchedAt: Date
  public let lifetimeSeconds: Int
  /// The number of this fetch, from 1; assigned by ``KeyCacheState``.
  public internal(set) var generation = 0

  public init(
    metadata: Metadata? = nil, keys: KeySet, fetchedAt: Date, lifetimeSeconds: Int
  ) {
    self.metadata = metadata
    self.keys = keys
    self.fetchedAt = fetchedAt
    self.lifetimeSeconds = lifetimeSeconds
  }

  public var expiresAt: Date { fetchedAt.addingTimeInterval(Double(lifetimeSeconds)) }

  /// From this time on the keys are fetched again, while these are still used.
  public var refreshAt: Date { fetchedAt.addingTimeInterval(Double(lifetimeSeconds) * 0.8) }
}
