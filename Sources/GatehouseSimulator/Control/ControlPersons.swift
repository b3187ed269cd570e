import Foundation
import Hummingbird

extension ControlRoutes {
  /// `GET /simulator/persons`.
  func listPersons() throws -> Response {
    try .json(["persons": .array(store.withState { $0.persons.all }.map { $0.json() })])
  }

  /// `GET /simulator/persons/{id}`.
  func showPerson(_ context: SimulatorContext) throws -> Response {
    let id = try context.parameters.require("id")
    return try .json(try store.withState { try $0.persons.named(id) }.json())
  }

  /// `POST /simulator/persons`: 201 for somebody new, 200 for a person that is replaced and keeps the
  /// `sub`s and consents.
  func putPerson(_ request: Request) async throws -> Response {
    let body: PersonInput = try await JSONDecoder.body(of: request, limit: bodyLimit)
    let person = try body.person()
    let isNew = try store.withState { state throws(SimulatorError) in
      let isNew = state.persons[person.id] == nil
      try state.persons.put(person)
      return isNew
    }
    return try .json(person.json(), status: isNew ? .created : .ok)
  }

  /// `DELETE /simulator/persons/{id}`: all the person's accounts at the providers end.
  func deletePerson(_ context: SimulatorContext) async throws -> Response {
    let id = try context.parameters.require("id")
    let now = store.now
    let events = try store.withState { state throws(SimulatorError) in
      try state.deletePerson(id, now: now)
    }
    return try Self.notified(try await AppleNotifier(store: store).notify(events))
  }

  /// `GET /simulator/persons/{id}/apps`: the settings' list of apps that use the person's Apple or
  /// other account, in the order the person agreed.
  func listApps(_ context: SimulatorContext) throws -> Response {
    let id = try context.parameters.require("id")
    let apps = try store.withState { state throws(SimulatorError) in
      state.standingConsents(of: try state.persons.named(id).id)
    }
    return try .json(["apps": .array(apps.map { $0.consent.json($0.key) })])
  }

  /// `POST /simulator/persons/{id}/withdraw-consent`: "Stop using Apple ID", and what the others
  /// call removing access.
  func withdrawConsent(_ request: Request, _ context: SimulatorContext) async throws -> Response {
    let id = try context.parameters.require("id")
    let body: WithdrawConsentBody = try await JSONDecoder.body(of: request, limit: bodyLimit)
    let now = store.now
    let events = try store.withState { state throws(SimulatorError) in
      let person = try state.persons.named(id)
      return try state.stopUsing(
        state.consentKey(body.provider, client: body.client_id, person: person.id), now: now)
    }
    return try Self.notified(try await AppleNotifier(store: store).notify(events))
  }
}

private struct WithdrawConsentBody: RequestBodyMembers {
  static let members: Set<String> = ["provider", "client_id"]

  var provider: Provider
  var client_id: String
}

extension Consent {
  fileprivate func json(_ key: ConsentKey) -> JSONValue {
    [
      "provider": .string(key.provider.rawValue),
      "client_id": .string(key.client.text),
      "scopes": .strings(Scope.allCases.filter(scopes.contains).map(\.rawValue)),
      "since": .string(givenAt.formatted(.iso8601)),
      "hides_email": key.provider == .apple ? .bool(hidesEmail) : .null,
      "forwards_email": key.provider == .apple && hidesEmail ? .bool(forwardsEmail) : .null,
    ]
  }
}

extension Person {
  /// The person with what the providers call them. Apple's names are those towards the team of apps
  /// that nobody mentioned.
  fileprivate func json() -> JSONValue {
    let apple = AppleIdentity(personID: id, teamID: RegisteredClient.defaultTeamID)
    return [
      "id": .string(id),
      "email": .string(email),
      "emailVerified": .bool(emailVerified),
      "givenName": .optional(givenName),
      "familyName": .optional(familyName),
      "picture": .optional(picture),
      "hostedDomain": .optional(hostedDomain),
      "realUserStatus": .integer(realUserStatus),
      "subjects": [
        "apple": .string(apple.subject),
        "google": .string(GoogleClaims.subject(of: self)),
        "oidc": .string(OIDCClaims.subject(of: self)),
      ],
      "appleRelayAddress": .string(apple.relayAddress),
    ]
  }
}
