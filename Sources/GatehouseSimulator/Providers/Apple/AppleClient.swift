/// What Apple has of a client.
extension RegisteredClient {
  /// The team of apps that nobody mentioned. All are of one team, so a person has one `sub` for an app
  /// and its website.
  static let defaultAppleTeam = "SIMULATED0"

  var teamID: String? {
    get { details["team_id"]?.stringValue }
    set { details["team_id"] = newValue.map(JSONValue.string) }
  }

  /// The app that this one, or a Services ID, is grouped with.
  var primaryApp: String? { details["primary_app"]?.stringValue }

  /// Where the app's server takes notifications.
  var notificationURL: String? { details["notification_url"]?.stringValue }
}

extension AppleProvider {
  func check(_ client: RegisteredClient, allowedHosts: [String]) throws(SimulatorError) {
    for member in clientMembers {
      guard let value = client.details[member], value.stringValue == nil else { continue }
      throw .invalidRequest("The member \"\(member)\" has the wrong type.")
    }
    if let url = client.notificationURL {
      guard client.primaryApp == nil else {
        throw .invalidRequest("Notifications go to the primary app: give it the notification_url.")
      }
      try NotificationURL.check(url, allowedHosts: allowedHosts)
    }
    guard client.clientSecret == nil else {
      throw .invalidRequest(
        "Apple has no fixed secrets. Register the team's key: PUT /simulator/apple/team-keys.")
    }
  }

  func check(_ client: RegisteredClient, in clients: ClientRegistry) throws(SimulatorError) {
    try clients.checkGroup(of: client)
  }

  func describe(_ client: RegisteredClient) -> [String: JSONValue] {
    [
      "team_id": .string(client.teamID ?? RegisteredClient.defaultAppleTeam),
      "primary_app": .optional(client.primaryApp),
      "notification_url": .optional(client.notificationURL),
    ]
  }
}
