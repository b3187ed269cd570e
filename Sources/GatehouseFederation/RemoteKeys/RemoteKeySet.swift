package import GatehouseTokens

/// A provider's keys as they were fetched, with the discovery document that named their URL.
package typealias RemoteKeySet = CachedKeySet<ProviderMetadata>

/// Decides when a provider's keys are fetched.
package typealias RemoteKeyState = KeyCacheState<ProviderMetadata, RemoteKeyFailure>
