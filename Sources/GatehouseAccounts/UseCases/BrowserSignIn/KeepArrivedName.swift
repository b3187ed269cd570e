package import Foundation
package import GatehouseModel

extension AccountsService {
  /// Keeps a name until an account takes it: the app that the answer is for may never redeem it.
  ///
  /// - Parameter signIn: The sign-in in a browser with which it came.
  package func keep(_ name: ArrivedName, of signIn: BrowserSignIn, now: Date) async throws {
    try await store.write { transaction in
      // Turned off or deleted since: nothing new is kept of its users.
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
  /// How long a user may take to sign in again. Seconds: 30 days.
  static let lifetimeSeconds: TimeInterval = 30 * 86_400
  /// Beyond it the oldest go. Each costs its sender a sign-in with an identity of their own at Apple.
  static let maximumPerProject = 10_000
}

extension StoreTransaction {
  /// The sign-in, with the name that came earlier where the provider tells it once and not now.
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

  /// To be called once an account has the identity's name.
  func forgetArrivedName(of identity: ExternalIdentity, in project: ProjectID) throws {
    guard identity.profile.displayName != nil else { return }
    try deleteArrivedName(of: identity.provider, subject: identity.subject, in: project)
  }
}
