import Foundation
import GatehouseModel

extension AccountsService {
  /// Runs `body`, which uses a code. A wrong code, and a wrong address for a right code, count as
  /// failed attempts.
  ///
  /// The 256 random bits of a code can't be guessed. Attempts are limited nevertheless, like guesses
  /// of passwords, because an attacker with a stolen sign-in link could guess its address.
  ///
  /// - Throws: ``AccountsError/tooManyAttempts``, and what `body` throws.
  func countingGuesses<Result>(
    from client: ClientAddress, in project: Project, now: Date, _ body: () async throws -> Result
  ) async throws -> Result {
    let limiter = RateLimiter.guess(of: nil, from: client, under: project.policies.rateLimits)
    try await store.read { try limiter.check($0, in: project.id, now: now) }
    do {
      return try await body()
    } catch let error as AccountsError where [.invalidActionCode, .emailMismatch].contains(error) {
      throw try await refusal(error, countedBy: limiter, in: project, now: now)
    }
  }
}
