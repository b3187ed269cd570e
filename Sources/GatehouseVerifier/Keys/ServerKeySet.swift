import GatehouseTokens

/// The server's keys as they were fetched.
typealias ServerKeySet = CachedKeySet<Never>

/// Decides when the server's keys are fetched.
typealias ServerKeyState = KeyCacheState<Never, ServerFault>
