package import Foundation
package import GatehouseModel

extension AccountsService {
  /// Counts a request of the account's that makes the server call its provider, so that one account
  /// can't use up the calls that all share.
  ///
  /// - Throws: ``AccountsError/tooManyAttempts``.
  package func admitProviderCall(by uid: UID, in project: Project, now: Date) async throws {
    let brake = Brake.providerCall(by: uid, under: project.policies.brake)
    try await store.write { try brake.count($0, in: project.id, now: now) }
  }
}
