import Foundation
import Hummingbird

private struct SendEventBody: RequestBodyMembers {
  static let members: Set<String> = ["client_id", "person", "type", "reason", "state", "faults"]
  static var objects: [String: any RequestBodyMembers.Type] { ["faults": TokenFaults.self] }

  var client_id: String
  var person: String?
  var type: GoogleEvent.Kind
  var reason: GoogleEvent.Reason?
  var state: String?
  /// What is wrong with the token that is sent; nil for a valid token.
  var faults: TokenFaults?
}

/// The control endpoints with which tests list, send and repeat Google's events
/// (Cross-Account Protection).
struct GoogleEventControl: Sendable {
  let store: SimulatorStore

  private var notifier: Notifier<GoogleState> { Notifier(GoogleState.self, store: store) }
  private var bodyLimit: Int { store.configuration.limits.bodyBytes }

  func add(to group: RouterGroup<SimulatorContext>) {
    group.get("google/events") { _, _ in try list() }
    group.post("google/events") { request, _ in try await send(request) }
    group.post("google/events/redeliver") { _, _ in try Self.notified(await notifier.redeliver()) }
  }

  /// Adds the actions of the overview's buttons.
  func addPageActions(to group: RouterGroup<SimulatorContext>) {
    group.post("google-event") { request, _ in
      try await store.act(request) { form in
        guard let kind = GoogleEvent.Kind(rawValue: try form.require("type")) else {
          throw SimulatorError.invalidRequest("The type is unknown.")
        }
        let now = store.now
        let event = try store.withState { state throws(SimulatorError) in
          try state.googleEvent(
            kind, client: try form.require("client_id"), person: form.filled("person"),
            reason: form.filled("reason").flatMap(GoogleEvent.Reason.init), state: nil, now: now)
        }
        _ = try await notifier.notify([event])
      }
    }
  }

  /// `GET /simulator/google/events`: the latest events with their tokens, oldest first.
  private func list() throws -> Response {
    let all = store.withState { $0[GoogleState.self].notifications.all }
    return try .notified(all.map { $0.json(withPayload: true) })
  }

  /// `POST /simulator/google/events`: sends an event to an app's server. The event changes nothing
  /// in the simulator.
  private func send(_ request: Request) async throws -> Response {
    let body: SendEventBody = try await JSONDecoder.body(of: request, limit: bodyLimit)
    let now = store.now
    let event = try store.withState { state throws(SimulatorError) in
      try state.googleEvent(
        body.type, client: body.client_id, person: body.person, reason: body.reason,
        state: body.state, now: now)
    }
    return try Self.notified(try await notifier.notify([event], faults: body.faults))
  }

  private static func notified(_ sent: [Delivery<GoogleEvent>]) throws -> Response {
    try .notified(sent.map { $0.json(withPayload: false) })
  }
}
