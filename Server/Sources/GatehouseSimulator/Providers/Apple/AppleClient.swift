/// The members of a client that only Apple has.
extension RegisteredClient {
  /// The team of unregistered apps. They share one team, so a person has the same `sub` for an app
  /// and its website.
  static let defaultAppleTeam = "SIMULATED0"

  var teamID: String? {
    get { details["team_id"]?.stringValue }
    set { details["team_id"] = newValue.map(JSONValue.string) }
  }

  /// The primary app of the group to which this app or Services ID belongs.
  var primaryApp: String? { details["primary_app"]?.stringValue }
}

extension AppleProvider {
  func check(_ client: RegisteredClient, allowedHosts: [String]) throws(SimulatorError) {
    for member in clientMembers {
      guard let value = client.details[member], value.stringValue == nil else { continue }
      throw .invalidRequest("The member \"\(member)\" has the wrong type.")
    }
    if let url = client.notificationURL {
      guard client.primaryApp == nil else {
        throw .invalidRequest(
          "A grouped client can't have a \"notification_url\". Set it for the primary app.")
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
      NotificationURL.member: .optional(client.notificationURL),
    ]
  }
}
