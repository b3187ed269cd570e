import Foundation
import HTTPTypes

/// An app that moved to another team (Apple, "Transferring your apps and users to another team").
struct AppleTransfer: Sendable {
  /// How long transfer identifiers are valid, in seconds: 60 days.
  private static let period = 5_184_000.0

  let formerTeam: String
  let at: Date

  /// Whether the new team can still query the app's users of the former team.
  func isOpen(at now: Date) -> Bool { now < at.addingTimeInterval(Self.period) }
}

extension SimulatorState {
  /// The latest transfer of an app, or of its group's primary app.
  func appleTransfer(of clientID: String) -> AppleTransfer? {
    self[AppleState.self].transfers[Identifier(clients.primaryAppleApp(of: clientID))]
  }

  /// Moves an Apple app to another team, together with the apps of its group.
  ///
  /// - Throws: `too_many_clients`; `invalid_request` for an app that isn't the primary app of its
  ///   group, or already belongs to that team.
  mutating func transferAppleApp(
    _ clientID: String, to teamID: String, at now: Date
  ) throws(SimulatorError) {
    let primary = clients.primaryAppleApp(of: clientID)
    guard primary.isSame(as: clientID) else {
      throw .invalidRequest("The app is grouped with \(primary.prefix(64)). Transfer that app.")
    }
    let former = clients.appleTeam(of: clientID)
    guard !former.isSame(as: teamID) else {
      throw .invalidRequest("The app already belongs to the team \(former.prefix(64)).")
    }
    var client = clients[.apple, clientID] ?? RegisteredClient(provider: .apple, clientID: clientID)
    client.teamID = teamID
    try clients.put(client)
    for var member in clients.all where member.primaryApp?.isSame(as: clientID) == true {
      member.teamID = teamID
      try clients.put(member)
    }
    self[AppleState.self].transfers[Identifier(clientID)] = AppleTransfer(
      formerTeam: former, at: now)
  }
}
