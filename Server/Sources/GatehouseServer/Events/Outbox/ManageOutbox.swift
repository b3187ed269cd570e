import Foundation
import GatehouseProtocol

/// `v2/projects/{p}/outbox` and `v2/server/outbox`: the work at other servers that waits or was given up, such as the
/// revocation of tokens, emails and deliveries of events.
struct ManageOutbox: Endpoint {
  let services: APIServices

  var routes: [Route] {
    let project = "v2/projects/*/outbox"
    let server = "v2/server/outbox"
    return [
      .administrator(.get, project, "project.outbox.list", role: .viewer, list),
      .administrator(.post, "\(project):retryFailed", "project.outbox.retryFailed", retryFailed),
      .administrator(.post, "\(project)/*:retry", "project.outbox.retry", retry),
      .administrator(.delete, "\(project)/*", "project.outbox.drop", drop),
      .server(.get, server, "outbox.list", role: .viewer, list),
      .server(
        .post, "\(server):retryFailed", "outbox.retryFailed", role: .administrator, retryFailed),
      .server(.post, "\(server)/*:retry", "outbox.retry", role: .administrator, retry),
      .server(.delete, "\(server)/*", "outbox.drop", role: .administrator, drop),
    ]
  }

  private static let maximumPage = 10_000
  private static let notFound = APIError.notFound("There is no such entry.")

  private var store: any Store { services.accounts.store }

  /// Oldest first: at most `pageSize` entries, of one `kind`, or with `failed=true` those that were given up.
  func list(_ call: Call) async throws -> Answer {
    var filter = OutboxFilter(
      project: call.project?.id, onlyFailed: call.parameters.string("failed") == "true")
    if let text = call.parameters.string("kind"), !text.isEmpty {
      guard let kind = OutboxTask.Kind(rawValue: text) else {
        let kinds = OutboxTask.Kind.allCases.map(\.rawValue).joined(separator: ", ")
        throw APIError.invalidArgument("kind is one of \(kinds).")
      }
      filter.kind = kind
    }
    let asked = try call.parameters.int64("pageSize").map { Int(clamping: $0) } ?? 100
    let size = min(max(asked, 1), Self.maximumPage)
    let entries = try await store.read { [filter] in try $0.outboxEntries(filter, limit: size) }
    return Answer(ListResponse("entries", entries.compactMap { OutboxEntryResource($0) }))
  }

  /// Makes an entry due now, whether it waits or was given up.
  func retry(_ call: Call) async throws -> Answer {
    let entry = try await entry(call)
    guard try await Outbox(store: store).retry(entry.id, now: call.now) else {
      throw Self.notFound
    }
    return Answer(EmptyResponse())
  }

  /// The same for every entry that was given up.
  func retryFailed(_ call: Call) async throws -> Answer {
    let count = try await Outbox(store: store).retryFailed(of: call.project?.id, now: call.now)
    return Answer(RetryFailedResponse(retried: count))
  }

  /// Deletes an entry without doing its work.
  func drop(_ call: Call) async throws -> Answer {
    guard try await Outbox(store: store).drop(try await entry(call).id) else {
      throw Self.notFound
    }
    return Answer(EmptyResponse())
  }

  private func entry(_ call: Call) async throws -> OutboxEntry {
    guard let id = call.path.resource.flatMap({ OutboxID($0) }),
      let entry = try await store.read({ try $0.outboxEntry(id) }),
      call.project == nil || call.project?.id == entry.project
    else { throw Self.notFound }
    return entry
  }
}

/// An entry of the outbox.
struct OutboxEntryResource: WireResponse {
  private let entry: OutboxEntry
  /// Of an email.
  private let mail: MailTask?

  /// Nil for an email that was replaced by a later one.
  init?(_ entry: OutboxEntry) {
    self.entry = entry
    guard case .sendMail(let mail) = entry.task else {
      self.mail = nil
      return
    }
    if mail.isVoid { return nil }
    self.mail = mail
  }

  func writeMembers(to writer: inout JSONWriter) {
    writer.member("id", entry.id.text)
    writer.member("project", entry.project.text)
    writer.member("kind", entry.task.kind.rawValue)
    writer.member("provider", ifPresent: entry.task.provider?.text)
    writer.member("emailKind", ifPresent: mail?.kind.rawValue)
    writer.member("recipient", ifPresent: mail?.recipient.text)
    writer.member("createTime", entry.createdAt.formatted(.iso8601))
    writer.member("attempts", entry.attempts)
    writer.member("failed", entry.failedAt != nil)
    if entry.failedAt == nil { writer.member("nextAttemptTime", entry.dueAt.formatted(.iso8601)) }
    writer.member("lastError", ifPresent: entry.lastError)
  }
}

struct RetryFailedResponse: WireResponse {
  let retried: Int

  func writeMembers(to writer: inout JSONWriter) { writer.member("retried", retried) }
}
