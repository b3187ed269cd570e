import Foundation

/// An approved sign-in with Apple, with the values that the app gets only once.
struct AppleSignIn: Sendable {
  let approval: Approval
  /// The name: if it was requested, at the first sign-in, and unless the person emptied it.
  let name: SharedName?
  /// The address or the relay address: if it was requested, at the first sign-in.
  let email: String?
  /// Apple's id of the person, the same for all apps of a team.
  let user: String
}

/// A name that a person entered on Apple's sheet.
struct SharedName: Sendable {
  let first: String
  let last: String

  var isEmpty: Bool { first.isEmpty && last.isEmpty }
}

extension SimulatorState {
  /// - Parameter sharedName: The name as the person edited it; nil for the person's own name.
  /// - Throws: `person_not_found`.
  mutating func approveApple(
    _ request: ApprovalRequest, sharedName: SharedName? = nil, now: Date
  ) throws(SimulatorError) -> AppleSignIn {
    let approval = try approve(request, now: now)
    let team = clients.appleTeam(of: request.clientID)
    let identity = AppleIdentity(personID: approval.person.id, teamID: team)
    let address =
      (request.hidesEmail ?? approval.person.hidesEmail)
      ? identity.relayAddress : approval.person.email
    let name =
      sharedName
      ?? SharedName(
        first: approval.person.givenName ?? "", last: approval.person.familyName ?? "")
    let sharesName = approval.isFirst && request.scopes.contains(.name) && !name.isEmpty
    return AppleSignIn(
      approval: approval, name: sharesName ? name : nil,
      email: approval.isFirst && request.scopes.contains(.email) ? address : nil,
      user: identity.subject)
  }
}
