import Foundation
import Hummingbird

extension TestControl {
  /// `GET /simulator/persons`.
  func listPersons() throws -> Response {
    try .json(["persons": .array(store.withState { $0.persons.all }.map { $0.json() })])
  }

  /// `GET /simulator/persons/{id}`.
  func showPerson(_ context: SimulatorContext) throws -> Response {
    let id = try context.parameters.require("id")
    return try .json(try store.withState { try $0.persons.named(id) }.json())
  }

  /// `POST /simulator/persons`: 201 for a new person, 200 for a replaced one, whose `sub`s and
  /// consents remain.
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

  /// `DELETE /simulator/persons/{id}`: deletes the person's accounts at all providers.
  func deletePerson(_ context: SimulatorContext) async throws -> Response {
    let id = try context.parameters.require("id")
    let ended = try store.withState { state throws(SimulatorError) in
      try state.deletePerson(id)
    }
    return try .notified(try await store.tellEnded(ended, accountIsGone: true))
  }

  /// `GET /simulator/persons/{id}/apps`: the apps that use the person's accounts, as in a
  /// provider's account settings, in the order of the consents.
  func listApps(_ context: SimulatorContext) throws -> Response {
    let id = try context.parameters.require("id")
    let apps = try store.withState { state throws(SimulatorError) in
      state.standingConsents(of: try state.persons.named(id).id)
    }
    return try .json(["apps": .array(apps.map { $0.consent.json($0.key) })])
  }

  /// `GET /simulator/apps`: the apps that use the accounts of any person, in the order of the
  /// consents. The parameter `provider` limits the list to one provider.
  func listAllApps(_ request: Request) throws -> Response {
    let query = try RequestForm.query(request)
    var provider: Provider?
    if let name = query.filled("provider") {
      provider = Provider(rawValue: name)
      guard provider != nil else { throw SimulatorError.invalidRequest("Provider not found.") }
    }
    let apps = store.withState { state in
      state.standingConsents.filter { provider == nil || $0.key.provider == provider }
    }
    return try .json(["apps": .array(apps.map { $0.consent.json($0.key) })])
  }

  /// `POST /simulator/persons/{id}/withdraw-consent`: Apple's "Stop using Apple ID"; at other
  /// providers, the removal of access.
  func withdrawConsent(_ request: Request, _ context: SimulatorContext) async throws -> Response {
    let id = try context.parameters.require("id")
    let body: WithdrawConsentBody = try await JSONDecoder.body(of: request, limit: bodyLimit)
    let key = try store.withState { state throws(SimulatorError) in
      let person = try state.persons.named(id)
      let key = state.consentKey(body.provider, client: body.client_id, person: person.id)
      try state.withdrawConsent(key)
      return key
    }
    return try .notified(try await store.tellEnded([key], accountIsGone: false))
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
      "person": .string(key.person.text),
      "provider": .string(key.provider.rawValue),
      "client_id": .string(key.client.text),
      "scopes": .strings(key.provider.kind.sorted(scopes).map(\.rawValue)),
      "since": .string(givenAt.formatted(.iso8601)),
      "hides_email": key.provider.kind.hidesAddresses ? .bool(hidesEmail) : .null,
      "forwards_email": key.provider.kind.hidesAddresses && hidesEmail
        ? .bool(forwardsEmail) : .null,
    ]
  }
}

extension Response {
  /// The response of every call after which a provider may notify its clients.
  static func notified(_ notifications: [JSONValue]) throws -> Response {
    try .json(["notifications": .array(notifications)])
  }
}

extension Person {
  /// The person, with the person's ids at the providers.
  fileprivate func json() -> JSONValue {
    var members: [String: JSONValue] = [
      "id": .string(id),
      "email": .string(email),
      "emailVerified": .bool(emailVerified),
      "givenName": .optional(givenName),
      "familyName": .optional(familyName),
      "picture": .optional(picture),
      "hostedDomain": .optional(hostedDomain),
      "realUserStatus": .integer(realUserStatus),
      "hidesEmail": .bool(hidesEmail),
    ]
    var subjects: [String: JSONValue] = [:]
    for kind in Provider.kinds {
      subjects[kind.id] = kind.subject(of: self).map(JSONValue.string)
      members.merge(kind.describe(self)) { _, new in new }
    }
    members["subjects"] = .object(subjects)
    return .object(members)
  }
}
