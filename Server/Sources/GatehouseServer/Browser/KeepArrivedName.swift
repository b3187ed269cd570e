import Foundation
import GatehouseProtocol

extension ArrivedName {
  /// How long a name is kept for the user's next sign-in. Seconds: 30 days.
  static let lifetimeSeconds: TimeInterval = 30 * 86_400
  /// Beyond this number the oldest names are deleted. For each name an attacker needs another identity
  /// of their own at Apple.
  static let maximumPerProject = 10_000
}

extension Transaction {
  /// Keeps a name until an account has it.
  func keep(_ name: ArrivedName, in project: ProjectID, now: Date) throws {
    // If the provider was disabled or deleted since, stores nothing more about its users.
    guard try provider(name.provider, in: project)?.isEnabled == true else { return }
    try save(
      name, in: project, keptUntil: now.addingTimeInterval(ArrivedName.lifetimeSeconds),
      limit: ArrivedName.maximumPerProject)
  }

  /// Returns the sign-in. If the provider sends the name only once and this response lacks it, adds the
  /// stored name.
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
