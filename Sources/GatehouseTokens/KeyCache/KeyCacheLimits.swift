package import struct Foundation.TimeInterval

/// How a ``KeyCacheState`` limits requests, and how long it uses expired keys.
package struct KeyCacheLimits: Sendable {
  /// How long after their expiry keys are used while fetches fail (`stale-if-error`, RFC 5861 §4).
  package var staleSeconds: TimeInterval = 24 * 60 * 60
  /// The time between a failed fetch and the next attempt.
  package var retrySeconds: TimeInterval = 30
  /// At most one fetch for unknown keys in this time, unless that fetch brought other keys.
  package var unknownKeyWindowSeconds: TimeInterval = 60
  /// The most fetches in one window if each brought other keys, for an issuer that rotates its keys
  /// twice in a minute. Only the issuer can cause more than one fetch.
  package var unknownKeyFetches = 4

  package init() {}
}
