import Foundation
package import GatehouseProtocol
import GatehouseTokens

/// `v2/projects/{p}/events` and `v2/server/events`: the event log, and what verifies it.
///
/// The events that wait are linked first, so that the log has all that happened before the request.
struct ReadEventLog: Endpoint {
  let services: APIServices

  var routes: [Route] {
    let project = "v2/projects/*/events"
    let server = "v2/server/events"
    return [
      .administrator(.get, project, "project.events.list", role: .viewer, list),
      .administrator(.get, "\(project)/*", "project.events.get", role: .viewer, get),
      .administrator(.get, "\(project):keys", "project.events.keys", role: .viewer, keys),
      .administrator(.post, "\(project):verify", "project.events.verify", role: .viewer, verify),
      .administrator(.get, "\(project):export", "project.events.export", export),
      .server(.get, server, "events.list", role: .viewer, list),
      .server(.get, "\(server)/*", "events.get", role: .viewer, get),
      .server(.get, "\(server):keys", "events.keys", role: .viewer, keys),
      .server(.post, "\(server):verify", "events.verify", role: .viewer, verify),
      .server(.get, "\(server):export", "events.export", role: .administrator, export),
    ]
  }

  private static let maximumPage: Int64 = 1000
  private static let maximumCheckpoints = 20

  private var store: any Store { services.accounts.store }
  private var log: EventLog { EventLog(store: store) }

  private func link() async throws { try await EventLinker(store: store).run() }

  /// Newest first. A page may have few events or none although there are more.
  func list(_ call: Call) async throws -> Answer {
    let parameters = call.parameters
    var filter = EventFilter()
    filter.uid = try parameters.string("uid").flatMap { text throws(APIError) in
      guard !text.isEmpty else { return nil }
      guard let uid = UID(text) else { throw .invalidArgument("uid is not the id of a user.") }
      return uid
    }
    filter.kinds = Set(
      try parameters.strings("kind").map { text throws(APIError) in
        guard let kind = EventKind(rawValue: text) else {
          let kinds = EventKind.allCases.map(\.rawValue).joined(separator: ", ")
          throw .invalidArgument("kind is one of \(kinds).")
        }
        return kind
      })
    filter.actor = parameters.string("actor").flatMap { $0.isEmpty ? nil : $0 }
    filter.since = try Date(rfc3339: parameters.string("since"), of: "since")
    filter.until = try Date(rfc3339: parameters.string("until"), of: "until")
    let size = min(max(try parameters.int64("pageSize") ?? 100, 1), Self.maximumPage)
    let token = try parameters.int64("pageToken")
    if token == nil { try await link() }
    let page = try await log.page(
      filter, before: token ?? .max, size: Int(size), in: call.project?.id)
    return Answer(
      ListResponse(
        "events", page.links.map { EventResource($0) },
        nextPageToken: page.next.map { String($0) }))
  }

  func get(_ call: Call) async throws -> Answer {
    let project = call.project?.id
    guard let id = call.path.resource.flatMap({ EventID($0) }),
      let link = try await store.read({ try $0.eventLink(id, in: project) })
    else { throw APIError.notFound("There is no such event.") }
    return Answer(EventResource(link))
  }

  /// The public keys of the checkpoints (RFC 7517 §5).
  func keys(_ call: Call) async throws -> Answer {
    Answer(json: try await services.eventCheckpoints().keyDocument)
  }

  /// The next lines of an exported log: see ``EventLogFile``.
  func export(_ call: Call) async throws -> Answer {
    let after = try call.parameters.int64("pageToken") ?? 0
    try await link()
    let checkpoints = try await services.eventCheckpoints()
    let part = try await log.export(
      of: call.project?.id, after: after, signedBy: checkpoints, now: call.now)
    return Answer(
      json: try EventLogFile.page(part, keys: after == 0 ? checkpoints.keyDocument : nil))
  }

  /// Verifies the next events.
  func verify(_ call: Call) async throws -> Answer {
    try call.refuseUnknownMembers(VerifyEventsRequest.knownMembers)
    let request = try call.request(VerifyEventsRequest.self)
    guard request.checkpoints.count <= Self.maximumCheckpoints else {
      throw APIError.invalidArgument("checkpoints has at most \(Self.maximumCheckpoints) elements.")
    }
    let keySet = try await services.eventCheckpoints().keySet
    let known = try request.checkpoints.map { token throws(APIError) in
      guard let known = try? EventCheckpoint(verifying: token, keys: keySet),
        known.project == call.project?.id
      else { throw .invalidArgument("This server didn't sign the checkpoint for this log.") }
      return known
    }
    let start = try request.pageToken.map { token throws(APIError) in
      guard let end = EventChainEnd(pageToken: token) else {
        throw .invalidArgument("pageToken is not the nextPageToken of a response.")
      }
      return end
    }
    if start == nil { try await link() }
    let verification = try await log.verify(
      call.project?.id, after: start, keys: keySet, known: known)
    return Answer(VerifyEventsResponse(verification))
  }
}

/// An event, for an administrator.
struct EventResource: WireResponse {
  private let link: EventLink

  init(_ link: EventLink) { self.link = link }

  func writeMembers(to writer: inout JSONWriter) {
    let event = link.event
    writer.member("id", event.id.text)
    writer.member("number", link.number)
    writer.member("kind", event.kind.rawValue)
    writer.member("time", event.at.withMilliseconds)
    writer.member("uid", ifPresent: event.uid?.text)
    writer.member("actor", event.actor.text)
    writer.object("details") { details in
      for (name, value) in event.details.sorted(by: { $0.key < $1.key }) {
        details.member(name, value)
      }
    }
    guard !event.source.isEmpty else { return }
    writer.object("source") { source in
      source.member("address", ifPresent: event.source.address)
      source.member("userAgent", ifPresent: event.source.userAgent)
      source.member("app", ifPresent: event.source.app)
      source.member("request", ifPresent: event.source.request)
    }
  }
}

struct VerifyEventsRequest: WireRequest {
  /// Checkpoints that were kept elsewhere. The log must agree with them.
  let checkpoints: [String]
  let pageToken: String?

  static let knownMembers = KnownMembers(["checkpoints", "pageToken"])

  init(_ fields: WireFields) throws(WireError) {
    checkpoints = try fields.strings("checkpoints")
    pageToken = try fields.nonEmptyString("pageToken")
  }
}

struct VerifyEventsResponse: WireResponse {
  private let report: EventChainReport
  private let nextPageToken: String?

  init(_ verification: EventVerification) {
    report = verification.report
    nextPageToken = verification.next?.pageToken
  }

  func writeMembers(to writer: inout JSONWriter) {
    for member in report.json.members { writer.member(member.name, member.value) }
    writer.member("nextPageToken", ifPresent: nextPageToken)
  }
}

extension EventChainReport {
  /// The report as administrators get it.
  package var json: JSONObject {
    var json: JSONObject = [
      "faults": .array(faults.map { .string($0.description) }),
      "verified": .number(JSONNumber(Int64(count))),
    ]
    json["first"] = range.map { .number(JSONNumber($0.lowerBound)) }
    json["last"] = range.map { .number(JSONNumber($0.upperBound)) }
    json["start"] = start.map { .object($0.json) }
    json["lastCheckpoint"] = lastCheckpoint.map { .object($0.json) }
    return json
  }
}

extension EventCheckpoint {
  fileprivate var json: JSONObject {
    [
      "number": .number(JSONNumber(end.number)), "time": .string(at.formatted(.iso8601)),
      "token": .string(token),
    ]
  }
}

extension EventChainEnd {
  /// The number and the digest. Not signed: a caller who changes it only spoils their own verification.
  fileprivate var pageToken: String { "\(number).\(Base64URL.encode(digest))" }

  fileprivate init?(pageToken: String) {
    let parts = pageToken.split(separator: ".", maxSplits: 1)
    guard parts.count == 2, let number = Int64(parts[0]), (1..<Int64.max).contains(number),
      let digest = Base64URL.decode(String(parts[1]))
    else { return nil }
    self.init(number: number, digest: digest)
  }
}
