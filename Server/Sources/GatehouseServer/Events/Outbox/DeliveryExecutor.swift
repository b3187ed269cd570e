import GatehouseProtocol

package import struct Foundation.Date

/// Delivers an event to a hook. Only the status of the response is used.
package struct DeliveryExecutor: Sendable {
  private let store: any Store
  private let transport: any OutboundTransport
  private let codec: SecurityEventCodec

  package init(
    store: any Store, transport: any OutboundTransport, codec: SecurityEventCodec
  ) {
    self.store = store
    self.transport = transport
    self.codec = codec
  }

  func execute(_ task: DeliveryTask, _ entry: OutboxEntry, now: Date) async throws -> OutboxResult {
    let id = entry.project
    let (found, hook) = try await store.read { transaction in
      (try transaction.project(id), try transaction.hook(task.hook, of: id))
    }
    guard let project = found, let hook else { return .done }
    guard hook.isEnabled else { return .failed("the hook is disabled") }
    do throws(DeliveryFault) {
      try await send(task.event, to: hook, in: project, now: now)
      return .done
    } catch {
      return .retry(error.description)
    }
  }

  /// Sends an event for a test: a `setting.changed` with the detail `test`.
  ///
  /// - Throws: ``DeliveryFault``.
  package func sendTest(
    to hook: Hook, in project: Project, now: Date
  ) async throws(DeliveryFault) {
    let event = Event(
      project: project.id, kind: .settingChanged, uid: nil, at: now,
      actor: EventOrigin.current.actor, details: ["test": "true"])
    try await send(event, to: hook, in: project, now: now)
  }

  /// Makes one attempt. A repetition has the same `webhook-id`, by which a receiver recognises it.
  ///
  /// - Throws: ``DeliveryFault``.
  package func send(
    _ event: Event, to hook: Hook, in project: Project, now: Date
  ) async throws(DeliveryFault) {
    guard let url = OutboundURL(hook.url) else { throw .malformedURL }
    let content: OutboundRequest.Content
    do {
      let token = try codec.token(of: event, to: hook, in: project, now: now)
      let body = hook.form == .token ? Array(token.utf8) : Self.body(event, token, project)
      content = OutboundRequest.Content(
        type: hook.form == .token ? "application/secevent+jwt" : "application/json",
        bytes: Secret(body),
        headers: WebhookSignature.headers(
          id: event.id.text, body: body, secrets: hook.secrets, now: now))
    } catch {
      throw .notSigned
    }
    let status: Int
    do throws(OutboundError) {
      status = try await transport.send(
        OutboundRequest(message: content, to: url, of: project.id)
      ).status
    } catch {
      throw .notSent(error)
    }
    guard (200..<300).contains(status) else { throw .refused(status) }
  }

  /// Standard Webhooks 1.0.0, "Payload structure".
  private static func body(_ event: Event, _ token: String, _ project: Project) -> [UInt8] {
    var writer = JSONWriter(reservingCapacity: 1024)
    writer.object { body in
      body.member("type", event.kind.rawValue)
      body.member("timestamp", event.at.withMilliseconds)
      body.object("data") { data in
        data.member("project", project.id.text)
        data.member("uid", ifPresent: event.uid?.text)
        data.member("actor", event.actor.text)
        data.object("details") { details in
          for (name, value) in event.details.sorted(by: { $0.key < $1.key }) {
            details.member(name, value)
          }
        }
      }
      body.member("token", token)
    }
    return writer.bytes
  }
}

/// Why a hook didn't accept an event.
package enum DeliveryFault: Error, Hashable, Sendable, CustomStringConvertible {
  case malformedURL
  /// The server has no key to sign with.
  case notSigned
  case notSent(OutboundError)
  case refused(Int)

  package var description: String {
    switch self {
    case .malformedURL: "the hook's URL is malformed"
    case .notSigned: "the event could not be signed"
    case .notSent(let error): error.description
    case .refused(let status): "the receiver responded with status \(status)"
    }
  }
}
