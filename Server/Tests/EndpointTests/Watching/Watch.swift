import GatehouseServer
import GatehouseProtocol
import HTTPTypes
import Testing

/// A stream of `accounts:watch`, as far as a test lets it go.
struct Watch: Sendable {
  /// One event of the stream.
  struct Event: Hashable, Sendable {
    var id: String?
    var type: String
    var data: String
  }

  let status: Int
  let headers: HTTPFields
  let text: String

  /// As a reader of the standard sees them, in another way than our own parser.
  var events: [Event] {
    text.split(separator: "\n\n").compactMap { block in
      var event = Event(type: "", data: "")
      for line in block.split(separator: "\n") {
        let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        let value = parts.count > 1 ? String(parts[1].dropFirst()) : ""
        switch parts[0] {
        case "id": event.id = value
        case "event": event.type = value
        case "data": event.data += value
        default: break
        }
      }
      return event.type.isEmpty ? nil : event
    }
  }

  var types: [String] { events.map(\.type) }
  /// With which the stream is resumed.
  var lastID: String? { events.last { $0.id != nil }?.id }
}

extension TestServer {
  static func watching(
    _ idToken: String?, after last: String? = nil
  ) -> TestRequest {
    var request = TestRequest("/v1/accounts:watch")
    request.method = .get
    request.bearer = idToken
    if let name = HTTPField.Name("last-event-id") { request.headers[name] = last }
    return request
  }

  /// Opens a stream and runs `body` beside it. Then the server ends all streams, as at a shutdown.
  func watch(
    _ request: TestRequest, during body: () async throws -> Void = {}
  ) async throws -> Watch {
    let before = services.watchers.count
    async let answer = call(request)
    while services.watchers.count == before { await Task.yield() }
    try await body()
    services.watchers.close()
    let reply = try await answer
    return Watch(status: reply.status, headers: reply.headers, text: reply.text)
  }

  func feed() async throws -> WatchFeed {
    try await WatchFeed(services.watchers, EventFeed(store: store), services.accounts)
  }

  /// What a server does several times a second.
  func passOn(_ feed: inout WatchFeed) async throws {
    try await EventLinker(store: store).run()
    try await feed.look()
  }

  func signUp(_ email: String) async throws -> (idToken: String, uid: String) {
    let reply = try await call(
      .accounts("signUp", ["email": .string(email), "password": "secret1"]))
    return (
      try #require(reply["idToken"]?.string), try #require(reply["localId"]?.string)
    )
  }

  func signIn(_ email: String) async throws -> String {
    let reply = try await call(
      .accounts("signInWithPassword", ["email": .string(email), "password": "secret1"]))
    return try #require(reply["idToken"]?.string)
  }

  func watchingSession(_ idToken: String) async throws -> WatchingSession {
    let project = try #require(try await services.projects.project(apiKey: "any-key"))
    return try services.accounts.watchingSession(
      ofIDToken: idToken, in: project, now: clock.now)
  }
}
