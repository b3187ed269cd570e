package import Foundation
package import GatehouseModel

extension AccountsService {
  /// Asks a provider about something that a client may have made up, such as an opaque access token.
  ///
  /// What the provider refuses is counted for the client's address: beyond the limit it isn't asked,
  /// and the answer is told to nobody. Wrong passwords are counted apart: many people share an
  /// address, and one who guesses must not keep the others from their providers.
  ///
  /// - Parameters:
  ///   - isRefusal: Whether what `ask` gives or throws is the provider's refusal, and not its absence.
  ///   - ask: May be run once.
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
