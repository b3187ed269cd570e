import Foundation
import Hummingbird

private struct SendNotificationBody: RequestBodyMembers {
  static let members: Set<String> = ["client_id", "person", "type", "faults"]
  static var objects: [String: any RequestBodyMembers.Type] { ["faults": TokenFaults.self] }

  var client_id: String
  var person: String?
  var type: AppleEvent.Kind
  /// Faults of the payload.
  var faults: TokenFaults?
}

private struct RelayBody: RequestBodyMembers {
  static let members: Set<String> = ["client_id", "forwards"]

  var client_id: String
  var forwards: Bool
}

extension AppleControl {
  /// `GET /simulator/apple/notifications`: the latest ones with their payloads, oldest first.
  func listNotifications() throws -> Response {
    let all = store.withState { $0[AppleState.self].notifications.all }
    return try .json(["notifications": .array(all.map { $0.json(withPayload: true) })])
  }

  /// `POST /simulator/apple/notifications`: notifies an app's server of an event that didn't
  /// happen.
  func sendNotification(_ request: Request) async throws -> Response {
    let body: SendNotificationBody = try await JSONDecoder.body(of: request, limit: bodyLimit)
    let now = store.now
    let event = try store.withState { state throws(SimulatorError) in
      let person = try state.persons.named(body.person)
      let key = state.consentKey(.apple, client: body.client_id, person: person.id)
      return state.appleEvent(body.type, key, now: now)
    }
    let sent = try await Notifier(AppleState.self, store: store).notify(
      [event], faults: body.faults)
    return try Self.notified(sent)
  }

  /// `POST /simulator/apple/notifications/redeliver`: sends every notification again that wasn't
  /// answered with 200.
  func redeliverNotifications() async throws -> Response {
    try Self.notified(await Notifier(AppleState.self, store: store).redeliver())
  }

  /// `PUT /simulator/persons/{id}/apple-relay`: turns the forwarding of mail to the person's relay
  /// address for an app off or on.
  func putAppleRelay(_ request: Request, _ context: SimulatorContext) async throws -> Response {
    let id = try context.parameters.require("id")
    let body: RelayBody = try await JSONDecoder.body(of: request, limit: bodyLimit)
    let now = store.now
    let event = try store.withState { state throws(SimulatorError) in
      try state.setAppleRelay(
        forwards: body.forwards, client: body.client_id, person: id, now: now)
    }
    return try Self.notified(
      try await Notifier(AppleState.self, store: store).notify([event].compactMap(\.self)))
  }

  static func notified(_ notifications: [Delivery<AppleEvent>]) throws -> Response {
    try .notified(notifications.map { $0.json(withPayload: false) })
  }
}

extension SimulatorState {
  /// - Returns: The event, or nil if nothing changed.
  /// - Throws: `person_not_found`, `consent_not_found`; `invalid_request` if the app has the
  ///   person's real address.
  mutating func setAppleRelay(
    forwards: Bool, client: String, person id: String, now: Date
  ) throws(SimulatorError) -> AppleEvent? {
    let person = try persons.named(id)
    let key = consentKey(.apple, client: client, person: person.id)
    var consent = try standingConsent(key)
    guard consent.hidesEmail else {
      throw .invalidRequest("The app has the person's own address: there is no relay to turn off.")
    }
    guard consent.forwardsEmail != forwards else { return nil }
    consent.forwardsEmail = forwards
    consents.set(consent, for: key)
    return appleEvent(forwards ? .emailEnabled : .emailDisabled, key, now: now)
  }
}
