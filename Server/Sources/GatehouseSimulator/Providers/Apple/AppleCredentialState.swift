import Hummingbird

extension AppleRoutes {
  /// `GET /apple/credential-state?client_id=&user=`: the result of a device's
  /// `ASAuthorizationAppleIDProvider.getCredentialState`.
  func credentialState(_ request: Request) throws -> Response {
    let form = try RequestForm.query(request)
    let clientID = try form.require("client_id")
    let user = try form.require("user")
    let answer = store.withState { $0.appleCredentialState(clientID: clientID, user: user) }
    return try .json(["state": .string(answer.rawValue)])
  }
}

/// The cases of `ASAuthorizationAppleIDProvider.CredentialState`.
enum AppleCredentialState: String, Sendable {
  case authorized
  case revoked
  /// No user with this id ever signed in to the app.
  case notFound
  /// The app moved to another team, and the user id is from the former team.
  case transferred
}

extension SimulatorState {
  func appleCredentialState(clientID: String, user: String) -> AppleCredentialState {
    let team = clients.appleTeam(of: clientID)
    let former = appleTransfer(of: clientID)?.formerTeam
    // A person can't be computed from `user`, so all persons with a consent for the app are
    // compared.
    for person in persons.all {
      let key = consentKey(.apple, client: clientID, person: person.id)
      guard let consent = consents[key] else { continue }
      if AppleIdentity(personID: person.id, teamID: team).subject.isSame(as: user) {
        return consent.isWithdrawn ? .revoked : .authorized
      }
      if let former, AppleIdentity(personID: person.id, teamID: former).subject.isSame(as: user) {
        return .transferred
      }
    }
    return .notFound
  }
}
