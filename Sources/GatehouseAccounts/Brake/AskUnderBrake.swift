package import Foundation
package import GatehouseModel

extension AccountsService {
  /// Asks a provider about something that a client may have made up, such as an opaque access token.
  ///
  /// What the provider refuses counts against the client's address, apart from wrong passwords: beyond
  /// the limit it isn't asked, and the answer is told to nobody.
  ///
  /// - Parameters:
  ///   - isRefusal: Whether an error of `ask` is the provider's refusal, and not its absence.
  ///   - ask: May be run once.
  /// - Throws: ``AccountsError/tooManyAttempts``, and what `ask` throws.
  package func underBrake<Value: Sendable>(
    from client: ClientAddress, in project: Project, now: Date,
    countingIf isRefusal: (any Error) -> Bool, _ ask: () async throws -> Value
  ) async throws -> Value {
    let brake = Brake.providerProof(from: client, under: project.policies.brake)
    try await store.read { try brake.check($0, in: project.id, now: now) }
    do {
      return try await ask()
    } catch  where isRefusal(error) {
      try await store.write { try brake.count($0, in: project.id, now: now) }
      throw error
    }
  }
}
