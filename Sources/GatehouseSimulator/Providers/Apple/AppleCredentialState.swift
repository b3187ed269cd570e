import Hummingbird

extension AppleRoutes {
  /// `GET /apple/credential-state?client_id=&user=`: what the device's
  /// `ASAuthorizationAppleIDProvider.getCredentialState` would say.
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
  /// Nobody of that name ever signed in to the app.
  case notFound
  /// The app went to another team, and the name is from before.
  case transferred
}

extension SimulatorState {
  func appleCredentialState(clientID: String, user: String) -> AppleCredentialState {
    let team = clients.appleTeam(of: clientID)
    let former = appleTransfer(of: clientID)?.formerTeam
    // `user` can't be turned back into a person, so everybody who agreed to the app is looked at.
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
