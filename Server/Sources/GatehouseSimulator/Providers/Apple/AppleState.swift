import HTTPTypes

/// Apple's state: teams, transfers and notifications.
struct AppleState: ReportingState {
  private let limit: Int
  /// The keys with which teams sign their client secrets.
  private(set) var teamKeys: [AppleTeamKey] = []
  /// By app.
  var transfers: [Identifier: AppleTransfer] = [:]
  var migrationTokens: BoundedTable<Identifier, AppleMigrationToken>
  var notifications: Deliveries<AppleEvent>

  init(limits: SimulatorLimits) {
    limit = limits.clients
    migrationTokens = BoundedTable(limit: limits.tokens)
    notifications = Deliveries(limit: limits.notifications)
  }

  /// Adds a key, or replaces the one of the same team and id.
  ///
  /// - Throws: `too_many_clients`.
  mutating func put(_ key: AppleTeamKey) throws(SimulatorError) {
    teamKeys.removeAll { $0.teamID.isSame(as: key.teamID) && $0.keyID.isSame(as: key.keyID) }
    guard teamKeys.count < limit else {
      throw SimulatorError(
        .conflict, "too_many_clients", "The limit is \(limit) keys. POST /simulator/reset.")
    }
    teamKeys.append(key)
  }
}
