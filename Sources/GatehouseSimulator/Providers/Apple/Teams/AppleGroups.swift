/// Groups of Apple's (Apple, "Group apps for Sign in with Apple"): apps and Services IDs of one team
/// that a person agrees to once. The group is known by its primary app.
extension ClientRegistry {
  /// The app that holds the consent for `clientID`: itself, where it isn't grouped.
  func primaryAppleApp(of clientID: String) -> String {
    self[.apple, clientID]?.primaryApp ?? clientID
  }

  /// The team an Apple app belongs to: its group's.
  func appleTeam(of clientID: String) -> String {
    registeredAppleTeam(of: clientID) ?? RegisteredClient.defaultAppleTeam
  }

  /// The team, if anybody told.
  func registeredAppleTeam(of clientID: String) -> String? {
    self[.apple, primaryAppleApp(of: clientID)]?.teamID ?? self[.apple, clientID]?.teamID
  }

  /// - Throws: `invalid_request` if the primary app is itself grouped or is the client, if the client
  ///   is others' primary app, or if their teams differ.
  func checkGroup(of client: RegisteredClient) throws(SimulatorError) {
    guard let name = client.primaryApp else { return }
    let primary = self[.apple, name]
    guard !name.isSame(as: client.clientID), primary?.primaryApp == nil,
      !all.contains(where: { $0.primaryApp?.isSame(as: client.clientID) == true })
    else {
      throw .invalidRequest("\"primary_app\" must be an app that isn't grouped with another one.")
    }
    guard let team = client.teamID else { return }
    guard team.isSame(as: primary?.teamID ?? RegisteredClient.defaultAppleTeam) else {
      throw .invalidRequest("The clients of a group must be of one team.")
    }
  }
}
