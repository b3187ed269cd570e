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

  /// Adds the stored name if the provider sends the name only once and this response lacks it.
  func addArrivedName(
    to identity: inout ExternalIdentity, in project: ProjectID, now: Date
  ) throws {
    guard identity.lacksNameSentOnce,
      let name = try arrivedName(
        of: identity.provider, subject: identity.subject, in: project, now: now)
    else { return }
    identity.profile.displayName = name.displayName
    identity.profile.firstName = name.firstName
    identity.profile.lastName = name.lastName
  }

  /// Call this when an account has the identity's name.
  func forgetArrivedName(of identity: ExternalIdentity, in project: ProjectID) throws {
    guard identity.profile.displayName != nil else { return }
    try deleteArrivedName(of: identity.provider, subject: identity.subject, in: project)
  }
}

extension ExternalIdentity {
  /// Whether the name may have come in an earlier response.
  var lacksNameSentOnce: Bool { isNameSentOnce && profile.displayName == nil }
}
