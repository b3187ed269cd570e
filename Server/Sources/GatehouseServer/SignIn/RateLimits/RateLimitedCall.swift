package import Foundation
package import GatehouseProtocol

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

extension AccountsService {
  /// Counts an attempt, and then runs `body` in the same transaction. If `body` throws an error,
  /// what it wrote is undone, but the attempt stays counted: a refusal reveals something too.
  ///
  /// - Throws: ``AccountsError/tooManyAttempts``, or the limit's own error, without running `body`; and
  ///   what `body` throws.
  func write<Value: Sendable>(
    countedBy limiter: RateLimiter, in project: Project, now: Date,
    _ body: @escaping @Sendable (Transaction) throws -> Value
  ) async throws -> Value {
    guard !limiter.isNone else { return try await store.write(body) }
    return try await store.write { transaction in
      try limiter.count(transaction, in: project.id, now: now)
      let result = try transaction.attempt { try body(transaction) }
      // The transaction will run again, and the attempt is counted then.
      if case .failure(let question as BlockingQuestion) = result { throw question }
      return result
    }.get()
  }
}

extension AccountsService {
  /// Counts a request of an account that makes the server call its provider, so that one account
  /// can't use up the calls that all accounts share.
  ///
  /// - Throws: ``AccountsError/tooManyAttempts``.
  package func admitProviderCall(by uid: UID, in project: Project, now: Date) async throws {
    let limiter = RateLimiter.providerCall(by: uid, under: project.policies.rateLimits)
    try await store.write { try limiter.count($0, in: project.id, now: now) }
  }
}
