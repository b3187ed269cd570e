import Foundation
import GatehouseProtocol

/// `projects/{p}/hooks`: the receivers of a project's events, as `gatehouse hooks` manages them.
struct Hooks: Endpoint {
  let services: APIServices
  let configuration: APIConfiguration

  var routes: [Route] {
    let all = "v2/projects/*/hooks"
    let one = "\(all)/*"
    return [
      .administrator(.get, all, "hooks.list", role: .viewer, list),
      .administrator(.post, all, "hooks.create", create),
      .administrator(.get, one, "hooks.get", role: .viewer, get),
      .administrator(.patch, one, "hooks.patch", patch),
      .administrator(.delete, one, "hooks.delete", delete),
      .administrator(.post, "\(one):rotateSecret", "hooks.rotateSecret", rotateSecret),
      .administrator(.post, "\(one):test", "hooks.test", test),
      .administrator(.post, "\(one):redeliver", "hooks.redeliver", redeliver),
      .administrator(
        .get, "\(one)/deliveries", "hooks.deliveries", role: .viewer, deliveries),
    ]
  }

  private static let maximumPage = 1000
  /// The most events that one request delivers again.
  private static let maximumRedelivered = 10_000

  func list(_ call: Call) async throws -> Answer {
    let project = try call.requireProject().id
    let hooks = try await services.hooks.hooks(of: project)
    return Answer(HookListResponse(hooks: hooks.map { HookResource($0, of: project) }))
  }

  func create(_ call: Call) async throws -> Answer {
    let project = try call.requireProject().id
    try call.refuseUnknownMembers(HookResource.knownMembers)
    let resource = try call.request(HookResource.self)
    guard let url = resource.url else {
      throw APIError.invalidConfiguration(.invalidConfig, "url is missing.")
    }
    let changes = try changes(resource, under: .absent)
    do {
      let hook = try await services.hooks.add(
        url: try address(url), changes, to: project, now: call.now)
      return Answer(HookResource(hook, of: project, showsSecret: true))
    } catch HookError.tooMany {
      throw APIError.invalidConfiguration(
        .invalidConfig, "A project has at most \(Hook.maximumPerProject) hooks.")
    }
  }

  func get(_ call: Call) async throws -> Answer {
    Answer(HookResource(try await hook(call), of: try call.requireProject().id))
  }

  func patch(_ call: Call) async throws -> Answer {
    try call.refuseUnknownMembers(HookResource.knownMembers)
    let resource = try call.request(HookResource.self)
    return try await change(
      call, try changes(resource, under: FieldMask(call.parameters.string("updateMask"))))
  }

  func rotateSecret(_ call: Call) async throws -> Answer {
    var changes = HookChanges()
    changes.rotatesSecret = true
    return try await change(call, changes)
  }

  func delete(_ call: Call) async throws -> Answer {
    let project = try call.requireProject().id
    guard let id = identifier(call), try await services.hooks.remove(id, of: project) else {
      throw Self.notFound
    }
    return Answer(EmptyResponse())
  }

  func test(_ call: Call) async throws -> Answer {
    let (hook, project) = (try await hook(call), try call.requireProject())
    let executor = DeliveryExecutor(
      store: services.hooks.store, transport: services.webhooks,
      codec: SecurityEventCodec(keys: services.idTokenKeys))
    var finding = Finding(
      hook.id.text, .ok, "\(hook.url) accepted the event, signed with the hook's secret")
    do throws(DeliveryFault) {
      try await executor.sendTest(to: hook, in: project, now: call.now)
    } catch {
      finding = Finding(hook.id.text, .failed(remedy: Self.remedy(error)), error.description)
    }
    return Answer(FindingsResponse([finding]))
  }

  private static func remedy(_ fault: DeliveryFault) -> String {
    switch fault {
    case .refused(401), .refused(403):
      "Does the receiver know this hook's secret? `gatehouse hooks set --new-secret` creates one."
    case .refused: "The receiver must respond with 2xx to events that it doesn't use."
    case .notSent(let error): error.remedy(for: "the receiver")
    case .malformedURL, .notSigned: "Set the hook's URL again."
    }
  }

  func redeliver(_ call: Call) async throws -> Answer {
    try call.refuseUnknownMembers(RedeliverRequest.knownMembers)
    let redelivery = try Self.redelivery(try call.request(RedeliverRequest.self))
    let hook = try await hook(call)
    do {
      let count = try await services.hooks.redeliver(
        redelivery, to: hook, in: try call.requireProject().id, limit: Self.maximumRedelivered,
        now: call.now)
      return Answer(RedeliverResponse(count: count))
    } catch HookError.noSuchEvent {
      throw APIError.notFound("The project's log has no such event.")
    }
  }

  func deliveries(_ call: Call) async throws -> Answer {
    let hook = try await hook(call)
    let asked = try call.parameters.int64("pageSize").map { Int(clamping: $0) } ?? 100
    let size = min(max(asked, 1), Self.maximumPage)
    var rest = try await services.hooks.deliveries(in: try call.requireProject().id, of: hook.id)[
      ...]
    if let token = call.parameters.string("pageToken"), !token.isEmpty {
      // If that event was delivered in the meantime, the list starts from the beginning.
      let last = rest.firstIndex { $0.entry.id.text.hasSameBytes(as: token) }
      rest = last.map { rest[rest.index(after: $0)...] } ?? rest
    }
    let page = rest.prefix(size)
    return Answer(
      DeliveryListResponse(
        deliveries: Array(page),
        nextPageToken: rest.count > size ? page.last?.entry.id.text : nil))
  }

  // MARK: Parts

  private static let notFound = APIError.notFound("There is no such hook.")

  private func identifier(_ call: Call) -> HookID? { call.path.resource.flatMap { HookID($0) } }

  private func hook(_ call: Call) async throws -> Hook {
    let project = try call.requireProject().id
    guard let id = identifier(call), let hook = try await services.hooks.hook(id, of: project)
    else {
      throw Self.notFound
    }
    return hook
  }

  private func change(_ call: Call, _ changes: HookChanges) async throws -> Answer {
    let project = try call.requireProject().id
    guard let id = identifier(call),
      let hook = try await services.hooks.change(id, of: project, changes)
    else { throw Self.notFound }
    return Answer(HookResource(hook, of: project, showsSecret: changes.rotatesSecret))
  }

  private func changes(
    _ resource: HookResource, under mask: FieldMask
  ) throws(APIError) -> HookChanges {
    var changes = HookChanges()
    if mask.covers("url", presentInBody: resource.url != nil) {
      changes.url = try address(resource.url ?? "")
    }
    if mask.covers("events", presentInBody: resource.events != nil) {
      changes.kinds = try Self.kinds(resource.events ?? [])
    }
    if mask.covers("form", presentInBody: resource.form != nil) {
      guard let form = Hook.Form(rawValue: resource.form ?? Hook.Form.json.rawValue) else {
        throw .invalidConfiguration(.invalidConfig, "form is json or token.")
      }
      changes.form = form
    }
    if mask.covers("enabled", presentInBody: resource.enabled != nil) {
      changes.isEnabled = resource.enabled ?? true
    }
    return changes
  }

  private func address(_ text: String) throws(APIError) -> String {
    try WebhookAddress.checked(text, field: "url", configuration)
  }

  private static func kinds(_ names: [String]) throws(APIError) -> Set<EventKind> {
    var kinds: Set<EventKind> = []
    for name in names {
      guard let kind = EventKind(rawValue: name) else {
        throw .invalidConfiguration(
          .invalidConfig,
          "events holds names of events: \(EventKind.allCases.map(\.rawValue).joined(separator: ", "))."
        )
      }
      kinds.insert(kind)
    }
    return kinds
  }

  private static func redelivery(_ request: RedeliverRequest) throws(APIError) -> Redelivery {
    switch (request.undelivered, request.eventID, request.since) {
    case (true, nil, nil): return .undelivered
    case (false, let id?, nil):
      guard let id = EventID(id) else { throw .invalidArgument("eventId is not an event's id.") }
      return .event(id)
    case (false, nil, let text?):
      guard let time = try? Date(text, strategy: .iso8601) else {
        throw .invalidArgument("since is a time such as 2027-01-31T12:00:00Z.")
      }
      return .since(time)
    default: throw .invalidArgument("Give one of undelivered, eventId and since.")
    }
  }
}

extension WebhookAddress {
  /// The address of a webhook or function that an administrator sets. It may be on this machine only with `--dev`,
  /// and if the operator sets it here.
  static func checked(
    _ text: String, field: String, _ configuration: APIConfiguration
  ) throws(APIError) -> String {
    do throws(Fault) {
      return try checked(
        text, allowsLoopback: configuration.development != nil || configuration.isForOperator)
    } catch {
      let detail =
        switch error {
        case .form: "\(field) is not a URL such as https://api.example.com/events."
        case .insecure: "\(field) is an https URL, because requests to it are about users."
        case .loopback:
          "\(field) can't be on the server's own machine. The operator can set such an address on the "
            + "command line."
        }
      throw .invalidConfiguration(.invalidConfig, detail)
    }
  }
}

/// Deliveries of a hook that wait or were given up.
struct DeliveryListResponse: WireResponse {
  let deliveries: [Delivery]
  let nextPageToken: String?

  func writeMembers(to writer: inout JSONWriter) {
    writer.array("deliveries") { list in
      for delivery in deliveries {
        list.object { item in
          let (entry, event) = (delivery.entry, delivery.event)
          item.member("id", entry.id.text)
          item.object("event") {
            $0.member("id", event.id.text)
            $0.member("type", event.kind.rawValue)
            $0.member("uid", ifPresent: event.uid?.text)
            $0.member("time", event.at.formatted(.iso8601))
          }
          item.member("attempts", entry.attempts)
          item.member("state", entry.failedAt == nil ? "waiting" : "givenUp")
          if entry.failedAt == nil {
            item.member("nextAttemptTime", entry.dueAt.formatted(.iso8601))
          }
          item.member("lastError", ifPresent: entry.lastError)
        }
      }
    }
    writer.member("nextPageToken", ifPresent: nextPageToken)
  }
}

/// `:redeliver`: exactly one of `undelivered`, `eventId` and `since`.
struct RedeliverRequest: WireRequest {
  let undelivered: Bool
  let eventID: String?
  let since: String?

  static let knownMembers = KnownMembers(["undelivered", "eventId", "since"])

  init(_ fields: WireFields) throws(WireError) {
    undelivered = try fields.bool("undelivered") ?? false
    eventID = try fields.nonEmptyString("eventId")
    since = try fields.nonEmptyString("since")
  }
}

struct RedeliverResponse: WireResponse {
  let count: Int

  func writeMembers(to writer: inout JSONWriter) { writer.member("count", count) }
}
