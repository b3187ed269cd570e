public import struct Foundation.TimeInterval

/// How a ``KeyCacheState`` limits requests, and how long it uses expired keys.
public struct KeyCacheLimits: Sendable {
  /// While fetches fail, keys are used for this time after they expire (`stale-if-error`, RFC 5861 §4).
  public var staleSeconds: TimeInterval = 24 * 60 * 60
  /// The time between a failed fetch and the next attempt.
  public var retrySeconds: TimeInterval = 30
  /// At most one fetch for unknown keys in this time, unless that fetch brought other keys.
  public var unknownKeyWindowSeconds: TimeInterval = 60
  /// The most fetches in one window. An issuer may rotate its keys twice in a minute, so a fetch that
  /// brought other keys allows another one. Only the issuer can cause more than one fetch.
  public var unknownKeyFetches = 4

  public init() {}
}
