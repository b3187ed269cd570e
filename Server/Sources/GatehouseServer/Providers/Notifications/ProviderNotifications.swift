import GatehouseProtocol
import HTTPTypes
import Logging

/// `POST /v1/notifications/apple/{project}`, and the same for each kind of provider that has a
/// `NotificationForm`: what providers report about their users.
///
/// The signature authenticates the sender. The response is sent after the events are durable. It is
/// 200 or 202, also for a notification that arrived before. Any other status makes the provider
/// deliver the notification again.
struct ProviderNotifications: Endpoint {
  let services: APIServices

  var routes: [Route] {
    IdentityProviders.builtIn.compactMap { kind in
      guard let id = kind.id, let form = kind.notifications else { return nil }
      return .notification("v1/notifications/\(kind.name)/*", "notifications.\(kind.name)") {
        try await answer($0, id, form)
      }
    }
  }

  private func answer(
    _ call: Call, _ id: ProviderID, _ form: NotificationForm
  ) async throws -> Answer {
    guard let jws = form.jws(inBody: call.bytes) else {
      throw APIError.invalidArgument(form.expectedBody)
    }
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
    answer.status = Answer.Status(code: form.acceptedStatus)
    return answer
  }
}
