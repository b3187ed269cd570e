import Foundation

/// Somebody signed in with Apple, and what the app is told once.
struct AppleSignIn: Sendable {
  let approval: Approval
  /// Whether the name goes with it: asked for, and the first time.
  let sharesName: Bool
  /// The address, or the relay address: asked for, and the first time.
  let email: String?
  /// Apple's name for the person, the same for all apps of a team.
  let user: String
}

extension SimulatorState {
  /// - Throws: `person_not_found`.
  mutating func approveApple(
    _ request: ApprovalRequest, now: Date
  ) throws(SimulatorError) -> AppleSignIn {
    let approval = try approve(request, now: now)
    let team = clients.appleTeam(of: request.clientID)
    let identity = AppleIdentity(personID: approval.person.id, teamID: team)
    let address = request.hidesEmail ? identity.relayAddress : approval.person.email
    return AppleSignIn(
      approval: approval,
      sharesName: approval.isFirst && request.scopes.contains(.name)
        && approval.person.name != nil,
      email: approval.isFirst && request.scopes.contains(.email) ? address : nil,
      user: identity.subject)
  }
}
