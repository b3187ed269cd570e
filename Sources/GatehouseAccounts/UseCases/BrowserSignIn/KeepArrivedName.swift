package import Foundation
package import GatehouseModel

extension AccountsService {
  /// Keeps a name until an account has it. The app that the response is for may never redeem it.
  ///
  /// - Parameter signIn: The browser sign-in with which the name came.
  package func keep(_ name: ArrivedName, of signIn: BrowserSignIn, now: Date) async throws {
    try await store.write { transaction in
      // The provider was disabled or deleted since: store nothing more about its users.
      guard try transaction.provider(name.provider, in: signIn.project)?.isEnabled == true else {
        return
      }
      try transaction.save(
        name, in: signIn.project, keptUntil: now.addingTimeInterval(ArrivedName.lifetimeSeconds),
        limit: ArrivedName.maximumPerProject)
    }
  }
}

extension ArrivedName {
  /// How long a name is kept for the user's next sign-in. Seconds: 30 days.
  static let lifetimeSeconds: TimeInterval = 30 * 86_400
  /// Beyond this number the oldest are deleted. To add one, an attacker needs a sign-in with
  /// another identity of their own at Apple.
  static let maximumPerProject = 10_000
}

extension StoreTransaction {
  /// The sign-in, with the stored name if the provider sends the name only once and this response
  /// lacks it.
  func withArrivedName(
    _ pending: PendingSignIn, in project: ProjectID, now: Date
  ) throws -> PendingSignIn {
    guard pending.identity.isNameSentOnce, pending.identity.profile.displayName == nil,
      let name = try arrivedName(
        of: pending.identity.provider, subject: pending.identity.subject, in: project, now: now)
    else { return pending }
    var pending = pending
    pending.identity.profile.displayName = name.displayName
    pending.identity.profile.firstName = name.firstName
    pending.identity.profile.lastName = name.lastName
    return pending
  }

  /// Call this when an account has the identity's name.
  func forgetArrivedName(of identity: ExternalIdentity, in project: ProjectID) throws {
    guard identity.profile.displayName != nil else { return }
    try deleteArrivedName(of: identity.provider, subject: identity.subject, in: project)
  }
}
