/// Apple's groups (Apple, "Group apps for Sign in with Apple"): apps and Services IDs of one team
/// that share a person's consent. The primary app identifies the group.
extension ClientRegistry {
  /// The app that holds the consent for `clientID`: `clientID` itself if it isn't grouped.
  func primaryAppleApp(of clientID: String) -> String {
    self[.apple, clientID]?.primaryApp ?? clientID
  }

  /// The team of an Apple app. All apps of a group have the primary app's team.
  func appleTeam(of clientID: String) -> String {
    registeredAppleTeam(of: clientID) ?? RegisteredClient.defaultAppleTeam
  }

  /// The registered team; nil if none is registered.
  func registeredAppleTeam(of clientID: String) -> String? {
    self[.apple, primaryAppleApp(of: clientID)]?.teamID ?? self[.apple, clientID]?.teamID
  }

  /// - Throws: `invalid_request` if the primary app is itself grouped or is the client, if the
  ///   client is the primary app of others, or if their teams differ.
  func checkGroup(of client: RegisteredClient) throws(SimulatorError) {
    guard let name = client.primaryApp else { return }
    let primary = self[.apple, name]
    guard !name.isSame(as: client.clientID), primary?.primaryApp == nil,
      !all.contains(where: { $0.primaryApp?.isSame(as: client.clientID) == true })
    else {
      throw .invalidRequest("\"primary_app\" must be an app that isn't itself grouped.")
    }
    guard let team = client.teamID else { return }
    guard team.isSame(as: primary?.teamID ?? RegisteredClient.defaultAppleTeam) else {
      throw .invalidRequest("The clients of a group must belong to one team.")
    }
  }
}
