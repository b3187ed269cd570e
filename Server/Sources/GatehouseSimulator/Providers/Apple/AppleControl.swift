import Crypto
import Foundation
import Hummingbird

private struct AppleTeamKeyBody: RequestBodyMembers {
  static let members: Set<String> = ["team_id", "key_id", "public_key"]

  var team_id: String
  var key_id: String
  /// PEM.
  var public_key: String
}

private struct TransferBody: RequestBodyMembers {
  static let members: Set<String> = ["client_id", "team_id"]

  var client_id: String
  var team_id: String
}

/// The endpoints that configure only Apple.
struct AppleControl: Sendable {
  let store: SimulatorStore

  var bodyLimit: Int { store.configuration.limits.bodyBytes }

  func add(to group: RouterGroup<SimulatorContext>) {
    group.put("persons/{id}/apple-relay") { request, context in
      try await putAppleRelay(request, context)
    }
    group.put("apple/team-keys") { request, _ in try await putAppleTeamKey(request) }
    group.post("apple/transfer") { request, _ in try await transferAppleApp(request) }
    group.get("apple/notifications") { _, _ in try listNotifications() }
    group.post("apple/notifications") { request, _ in try await sendNotification(request) }
    group.post("apple/notifications/redeliver") { _, _ in try await redeliverNotifications() }
  }

  /// Adds the actions of the overview's buttons.
  func addPageActions(to group: RouterGroup<SimulatorContext>) {
    group.post("relay") { request, _ in
      try await store.act(request) { form in
        let now = store.now
        let event = try store.withState { state throws(SimulatorError) in
          try state.setAppleRelay(
            forwards: form["forwards"] == "true", client: try form.require("client_id"),
            person: try form.require("person"), now: now)
        }
        _ = try await Notifier(AppleState.self, store: store).notify([event].compactMap(\.self))
      }
    }
  }

  /// `PUT /simulator/apple/team-keys`: from now on, the team's client secrets must be signed with
  /// one of its registered keys.
  private func putAppleTeamKey(_ request: Request) async throws -> Response {
    let body: AppleTeamKeyBody = try await JSONDecoder.body(of: request, limit: bodyLimit)
    guard (try? P256.Signing.PublicKey(pemRepresentation: body.public_key)) != nil else {
      throw SimulatorError.invalidRequest(
        "\"public_key\" must be a P-256 public key as PEM: openssl ec -in key.p8 -pubout.")
    }
    let key = AppleTeamKey(
      teamID: body.team_id, keyID: body.key_id, publicKeyPEM: body.public_key)
    try store.withState { state throws(SimulatorError) in try state[AppleState.self].put(key) }
    return try .json([:])
  }

  /// `POST /simulator/apple/transfer`: moves the app to another team. All `sub`s and relay
  /// addresses change, tokens contain a `transfer_sub`, and the old `sub` has the state
  /// `transferred`.
  private func transferAppleApp(_ request: Request) async throws -> Response {
    let body: TransferBody = try await JSONDecoder.body(of: request, limit: bodyLimit)
    let now = store.now
    try store.withState { state throws(SimulatorError) in
      try state.transferAppleApp(body.client_id, to: body.team_id, at: now)
    }
    return try .json([:])
  }
}
