package import Foundation
package import GatehouseProtocol

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
