import GatehouseAccounts
import GatehouseFederation
import GatehouseJSON
import GatehouseModel
import HTTPTypes
import Logging

/// `POST /v1/notifications/apple/{project}` and `…/google/{project}`: what providers report about
/// their users.
///
/// Apple posts `{"payload": "<JWS>"}` (server-to-server notifications), Google the token itself
/// (Cross-Account Protection). The signature authenticates the sender. The answer comes after the
/// events are durable, and 200 or 202 also for a notification that arrived before; any other answer
/// makes the provider deliver it again.
struct ProviderNotifications: Endpoint {
  let services: APIServices

  var routes: [Route] {
    [
      .notification("v1/notifications/apple/*", "notifications.apple") { call in
        try await answer(call, .apple, jws: try Self.payload(call.bytes), status: .ok)
      },
      .notification("v1/notifications/google/*", "notifications.google") { call in
        try await answer(
          call, .google, jws: try Self.text(call.bytes), status: .accepted)
      },
    ]
  }

  private func answer(
    _ call: Call, _ id: ProviderID, jws: String, status: Answer.Status
  ) async throws -> Answer {
    guard let name = call.path.project.flatMap({ ProjectID($0) }),
      let project = try await services.projects.project(name),
      let provider = try await services.projects.provider(id, in: project.id)
    else { throw APIError.notFound }
    let notification: ProviderNotification
    do throws(FederationError) {
      notification = try await services.federation.notification(
        jws, for: provider, now: call.now)
    } catch {
      call.logger.warning(
        "a notification was refused",
        metadata: ["provider": "\(id)", "project": "\(project.id)", "reason": "\(error)"])
      throw error
    }
    let isNew = try await services.accounts.accept(
      notification.events, of: id, use: notification.use, jws: jws, in: project, now: call.now)
    for event in notification.events where isNew {
      call.logger.info(
        "a provider reported an event",
        metadata: [
          "provider": "\(id)", "project": "\(project.id)", "event": "\(event.kind.rawValue)",
        ])
    }
    var answer = Answer(json: Array("{}".utf8))
    answer.status = status
    return answer
  }

  /// The member `payload`.
  private static func payload(_ bytes: [UInt8]) throws -> String {
    guard let body = try? JSONObject(parsing: bytes), let payload = body["payload"]?.string else {
      throw APIError.invalidArgument("The body is {\"payload\": \"<JWS>\"}.")
    }
    return payload
  }

  private static func text(_ bytes: [UInt8]) throws -> String {
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw APIError.invalidArgument("The body is a JWS in the compact serialization.")
    }
    return text.trimmingASCIIWhitespace
  }
}

extension String {
  fileprivate var trimmingASCIIWhitespace: String {
    let isSpace = { (byte: UInt8) in byte == 0x20 || (0x09...0x0D).contains(byte) }
    let rest = utf8.drop(while: isSpace)
    let end = rest.lastIndex { !isSpace($0) }.map { rest.index(after: $0) } ?? rest.startIndex
    return String(decoding: rest[rest.startIndex..<end], as: UTF8.self)
  }
}
