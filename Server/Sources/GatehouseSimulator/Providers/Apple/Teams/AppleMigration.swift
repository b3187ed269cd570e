import Foundation
import HTTPTypes
import Hummingbird

/// Apple's client-credentials token, with which one team queries the users of one app.
struct AppleMigrationToken: Sendable {
  let clientID: String
  let expiresAt: Date
}

extension AppleRoutes {
  /// `POST /apple/auth/usermigrationinfo`: the users of a transferred app (Apple, "Transferring
  /// your apps and users to another team").
  ///
  /// For `sub` and `target` (a team) it returns the person's `transfer_sub`; for `transfer_sub`,
  /// after the transfer, the new `sub`, `email` and `is_private_email`.
  func userMigrationInfo(_ request: Request) async throws -> Response {
    let form = try await RequestForm.body(request, limit: store.configuration.limits.bodyBytes)
    let clientID = try authenticate(form)
    try checkMigrationToken(request, clientID)
    let (now, target, sub) = (store.now, form.filled("target"), form.filled("sub"))
    if let target, let sub {
      let answer = store.withState { state in
        state.person(clientID: clientID, subject: sub).map { person in
          AppleIdentity(personID: person.id, teamID: state.clients.appleTeam(of: clientID))
            .transferSubject(to: target)
        }
      }
      guard let answer else { throw Self.unknownSubject }
      return try .json(["transfer_sub": .string(answer)])
    }
    let transferSubject = try form.require("transfer_sub")
    let answer = store.withState {
      $0.migrated(clientID: clientID, transferSubject: transferSubject, now: now)
    }
    guard let answer else { throw Self.unknownSubject }
    return try .json(.object(answer))
  }

  /// The response to `grant_type=client_credentials` with the scope `user.migration`.
  func migrationToken(_ form: RequestForm, _ clientID: String) throws -> Response {
    guard form["scope"] == "user.migration" else {
      throw SimulatorError(.badRequest, "invalid_scope", "scope must be user.migration.")
    }
    let token = AppleProvider().newAccessToken()
    let lifetime = AppleProvider.accessTokenLifetime
    let entry = AppleMigrationToken(
      clientID: clientID, expiresAt: store.now.addingTimeInterval(Double(lifetime)))
    store.withState { $0[AppleState.self].migrationTokens.set(entry, for: Identifier(token)) }
    return try .json([
      "access_token": .string(token), "token_type": "Bearer", "expires_in": .integer(lifetime),
    ])
  }

  private func checkMigrationToken(
    _ request: Request, _ clientID: String
  ) throws(SimulatorError) {
    let token = request.bearerToken
    let known = token.flatMap { token in
      store.withState { $0[AppleState.self].migrationTokens[Identifier(token)] }
    }
    guard let known, known.clientID.isSame(as: clientID), store.now < known.expiresAt
    else {
      var error = SimulatorError(
        .unauthorized, "invalid_client",
        "Authorization must be Bearer with an access token of grant_type=client_credentials.")
      error.challenge = "Bearer realm=\"simulator\""
      throw error
    }
  }

  private static let unknownSubject = SimulatorError.invalidRequest(
    "No user with this id signed in to the app, or the transfer was more than 60 days ago.")
}

extension SimulatorState {
  /// The person with a consent for the app whose id in the app's team is `subject`.
  fileprivate func person(clientID: String, subject: String) -> Person? {
    let team = clients.appleTeam(of: clientID)
    return persons.all.first { person in
      consents[consentKey(.apple, client: clientID, person: person.id)] != nil
        && AppleIdentity(personID: person.id, teamID: team).subject.isSame(as: subject)
    }
  }

  fileprivate func migrated(
    clientID: String, transferSubject: String, now: Date
  ) -> [String: JSONValue]? {
    guard let transfer = appleTransfer(of: clientID), transfer.isOpen(at: now) else {
      return nil
    }
    let team = clients.appleTeam(of: clientID)
    for person in persons.all {
      let former = AppleIdentity(personID: person.id, teamID: transfer.formerTeam)
      guard former.transferSubject(to: team).isSame(as: transferSubject),
        let consent = consents[consentKey(.apple, client: clientID, person: person.id)]
      else { continue }
      let identity = AppleIdentity(personID: person.id, teamID: team)
      return [
        "sub": .string(identity.subject),
        "email": .string(consent.hidesEmail ? identity.relayAddress : person.email),
        "is_private_email": .bool(consent.hidesEmail),
      ]
    }
    return nil
  }
}
