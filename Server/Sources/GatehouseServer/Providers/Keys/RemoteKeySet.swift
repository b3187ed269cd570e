package import GatehouseTokens

/// A provider's keys as they were fetched, with the discovery document that named their URL.
package typealias RemoteKeySet = CachedKeySet<ProviderMetadata>

extension RemoteKeySet {
  /// Why no token can be verified with these keys; nil if there is a usable one.
  var lack: RemoteKeyFailure? {
    keys.keys.isEmpty ? .noUsableKey(count: keys.count, refused: keys.refused) : nil
  }
}

/// Decides when a provider's keys are fetched.
package typealias RemoteKeyState = KeyCacheState<ProviderMetadata, RemoteKeyFailure>
