import Foundation
import GatehouseProtocol
import GatehouseServer
import GatehouseTokens
import HTTPTypes
import Testing

/// The event log over REST: reading, exporting and verifying it.
@Suite struct ReadEventLogTests {
  private func call(
    _ server: TestServer, _ path: String, _ query: String? = nil, _ body: JSONValue? = nil
  ) async throws -> TestReply {
    try await server.call(
      .admin(body == nil ? .get : .post, "v2/\(path)", body).with { $0.query = query })
  }

  private func append(_ uids: [String], to server: TestServer) async throws {
    let project = try server.demo
    try await server.store.write { transaction in
      for uid in uids {
        try transaction.append(
          Event(
            project: project, kind: .linked, uid: UID(uid), at: TestServer.start, actor: .user,
            details: ["provider": "google.com"]))
      }
    }
  }

  private func uids(_ reply: TestReply) -> [String?] {
    reply["events"]?.array?.map { $0["uid"]?.string } ?? []
  }

  @Test func `pages continue where the last one ended, also while events come`() async throws {
    try await TestServer.with { server in
      _ = try await server.makeProject()
      try await append(["a", "b", "c"], to: server)
      let path = "projects/demo/events"
      let first = try await call(server, path, "pageSize=2")
      #expect(uids(first) == ["c", "b"])
      try await append(["d"], to: server)
      let token = try #require(first["nextPageToken"]?.string)
      let second = try await call(server, path, "pageSize=1&pageToken=\(token)")
      #expect(uids(second) == ["a"])
      #expect(uids(try await call(server, path, "pageSize=1")) == ["d"])

      let id = try #require(second["events"]?.array?.first?["id"]?.string)
      let one = try await call(server, "\(path)/\(id)")
      #expect(one.json == second["events"]?.array?.first)
      #expect(one["time"] == "2026-05-28T20:26:40.000Z")
      #expect(try await call(server, "server/events/\(id)").status == 404)
      #expect(try await call(server, "\(path)/evt_nothing").status == 404)
    }
  }

  @Test func `a change of a setting is in the log at once, with what it was before`() async throws {
    try await TestServer.with { server in
      _ = try await server.makeProject()
      for name in ["Shop", "Big shop"] {
        let renamed = try await server.call(
          .admin(.patch, "v2/projects/demo", ["displayName": .string(name)]))
        #expect(renamed.status == 200)
      }
      try await append(["a"], to: server)
      let listed = try await call(
        server, "projects/demo/events", "kind=setting.changed&kind=account.deleted&pageSize=1")
      let event = try #require(listed["events"]?.array?.first)
      #expect(event["actor"] == "administrator owner")
      #expect(
        event["details"] == [
          "change": "saved", "from.displayName": "Shop", "name": "demo",
          "to.displayName": "Big shop", "what": "project",
        ])
    }
  }

  @Test(
    arguments: [
      ("uid=a", ["a", "a"]), ("uid=a&kind=account.linked", ["a"]), ("actor=user", ["b", "a"]),
      ("actor=administrator%20owner&kind=account.created", ["a"]),
      ("kind=account.linked&since=2026-05-28T20:26:40Z", ["b", "a"]),
      ("since=2026-06-01T00:00:00Z", []),
      ("kind=account.linked&until=2026-05-28T20:26:40Z", []),
    ] as [(String, [String])])
  func `events are filtered`(query: String, expected: [String]) async throws {
    try await TestServer.with { server in
      _ = try await server.makeProject()
      let created = try await server.call(
        .admin(.post, "v1/projects/demo/accounts", ["localId": "a"]))
      #expect(created.status == 200)
      try await append(["a", "b"], to: server)
      #expect(uids(try await call(server, "projects/demo/events", query)) == expected)
    }
  }

  @Test(
    arguments: [
      ("kind=account.flew", "kind is one of account.created, "), ("uid=%00", "uid is not "),
      ("since=yesterday", "since is a time such as 2027-01-31T12:00:00Z."),
      ("pageToken=a", "Invalid value"),
    ])
  func `a filter that isn't valid is refused`(query: String, error: String) async throws {
    try await TestServer.with { server in
      let reply = try await call(server, "projects/demo/events", query)
      #expect(reply.status == 400)
      #expect(reply.error?.hasPrefix(error) == true, "\(reply.error ?? "")")
    }
  }

  /// All lines, over all parts.
  private func export(_ server: TestServer, _ log: String) async throws -> [String] {
    var lines: [String] = []
    var token: String?
    repeat {
      let part = try await call(server, "\(log):export", token.map { "pageToken=\($0)" })
      lines += (part["lines"]?.array ?? []).map {
        String(decoding: $0.serialized(), as: UTF8.self)
      }
      token = part["nextPageToken"]?.string
    } while token != nil
    return lines
  }

  /// The faults of all parts, and how many events were verified.
  private func verify(
    _ server: TestServer, _ log: String, _ checkpoints: [JSONValue] = []
  ) async throws -> (faults: [String], count: Int64, last: TestReply) {
    var (faults, count): ([String], Int64) = ([], 0)
    var token: String?
    while true {
      var body: JSONObject = ["checkpoints": .array(checkpoints)]
      body["pageToken"] = token.map { .string($0) }
      let part = try await call(server, "\(log):verify", nil, .object(body))
      faults += part["faults"]?.array?.compactMap(\.string) ?? []
      count += part["verified"]?.int64 ?? 0
      token = part["nextPageToken"]?.string
      if token == nil { return (faults, count, part) }
    }
  }

  @Test func `an export of several parts is a file that verifies, and so does the log`()
    async throws
  {
    try await TestServer.with { server in
      _ = try await server.makeProject()
      try await append((0..<2100).map { "u\($0)" }, to: server)
      let log = "projects/demo/events"
      let lines = try await export(server, log)
      let keys = try await call(server, "\(log):keys")
      #expect(try await call(server, "server/events:keys").json == keys.json)
      let keySet = try KeySet(jwks: Array(keys.text.utf8))
      let report = try EventLogFile.verify(lines, trusting: keySet)
      #expect(report.faults.isEmpty)
      #expect(report.count > 2100)
      let cut = try EventLogFile.verify(lines.filter { !$0.contains("\"u7\"") }, trusting: keySet)
      #expect(!cut.faults.isEmpty)

      let verified = try await verify(server, log)
      #expect(verified.faults.isEmpty)
      #expect(verified.count == Int64(report.count))
      let checkpoint = try #require(verified.last["lastCheckpoint"]?["token"])
      #expect(verified.last["lastCheckpoint"]?["number"] == verified.last["last"])
      #expect(try await verify(server, log, [checkpoint]).faults.isEmpty)
      let foreign = try await call(
        server, "server/events:verify", nil, ["checkpoints": [checkpoint]])
      #expect(foreign.error == "This server didn't sign the checkpoint for this log.")
      #expect(try await verify(server, "server/events").faults.isEmpty)
      #expect(try await export(server, "server/events").count > 1)
    }
  }

  @Test func `a changed log is found, and its end gets no checkpoint`() async throws {
    try await TestServer.with { server in
      _ = try await server.makeProject()
      try await append(["a", "b"], to: server)
      let (project, log) = (try server.demo, "projects/demo/events")
      let kept = try await export(server, log).count
      try await append(["c"], to: server)
      _ = try await call(server, log)
      let end = try await server.store.read { try $0.chainEnd(of: project) }
      try await server.store.write {
        try $0.setChainEnd(
          EventChainEnd(number: end.number, digest: Array(repeating: 1, count: 32)), of: project)
      }
      let fault =
        "event \(end.number) is not the one that was recorded, or the event before it was removed"
      #expect(try await verify(server, log).faults == [fault])
      let part = try await call(server, "\(log):export")
      #expect(part["fault"]?.string == fault)
      #expect(part["lines"]?.array?.count == kept + 1)
    }
  }

  @Test func `an erased account's missing sources are explained, also before the log says so`()
    async throws
  {
    try await TestServer.with { server in
      _ = try await server.makeProject()
      let created = try await server.call(
        .admin(.post, "v1/projects/demo/accounts", ["localId": "a"]))
      #expect(created.status == 200)
      let log = "projects/demo/events"
      _ = try await call(server, log)
      let deleted = try await server.call(
        .admin(.post, "v1/projects/demo/accounts:delete", ["localId": "a"]))
      #expect(deleted.status == 200)
      let report = try await EventLog(store: server.store).verify(
        try server.demo, keys: try await server.services.eventCheckpoints().keySet)
      #expect(report.report.faults.isEmpty)
      #expect(try await verify(server, log).faults.isEmpty)
    }
  }
}
