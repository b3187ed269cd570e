package import Foundation
import GatehouseProtocol

extension AccountsService {
  /// Asks a provider about something that a client may have forged, such as an opaque access token.
  ///
  /// The provider's refusals are counted for the client address. When the limit is reached, the
  /// provider isn't asked. If other requests reach the limit while the provider is asked, its refusal
  /// isn't returned.
  ///
  /// These refusals are counted separately from wrong passwords. Many users may share an address:
  /// if one of them guesses passwords, the others must still be able to sign in with their
  /// providers.
  ///
  /// - Parameters:
  ///   - isRefusal: Whether the result or error of `ask` is the provider's refusal, not a failure
  ///     to reach it.
  ///   - ask: Asks the provider. It is run at most once.
  /// - Throws: ``AccountsError/tooManyAttempts``, and what `ask` throws.
  package func withRateLimit<Value: Sendable>(
    from client: ClientAddress, in project: Project, now: Date,
    countingIf isRefusal: (Result<Value, any Error>) -> Bool, _ ask: () async throws -> Value
  ) async throws -> Value {
    let limiter = RateLimiter.providerRefusal(from: client, under: project.policies.rateLimits)
    try await store.read { try limiter.check($0, in: project.id, now: now) }
    let result: Result<Value, any Error>
    do {
      result = .success(try await ask())
    } catch {
      result = .failure(error)
    }
    if isRefusal(result) {
      try await store.write { try limiter.count($0, in: project.id, now: now) }
    }
    return try result.get()
  }
}
