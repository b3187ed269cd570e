import Foundation
import GatehouseModel

extension AccountsService {
  /// Runs what somebody does with a code, and counts a wrong code, or a wrong address for a right one,
  /// as a guess.
  ///
  /// Guessing 256 random bits is hopeless, and whoever tries all the same is refused like one who
  /// guesses passwords. Guessing the address for a sign-in link that fell into other hands isn't.
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
