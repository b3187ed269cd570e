import Foundation
import TestStores
import Testing

/// Events of the real server to receivers that check them with the Standard Webhooks library, and the audit
/// log on the command line.
@Suite struct EventTests {
  /// Adds a hook; returns its id and its secret.
  private func addHook(
    _ production: Production, _ url: String, _ arguments: String...
  ) async throws -> (id: String, secret: String) {
    let added = try await production.command(["hooks", "add", url] + arguments)
    let words = added.output.split(whereSeparator: \.isWhitespace).map(String.init)
    return (
      try #require(words.first { $0.hasPrefix("hook_") }),
      try #require(words.first { $0.hasPrefix("whsec_") })
    )
  }

  @Test func `the example receiver deletes the document of a deleted user`() async throws {
    try await Production.with { production, server, _ in
      let folder = production.folder
      let port = try await FreePort.next()
      let url = "http://127.0.0.1:\(port)/"
      let hook = try await addHook(production, url, "--event", "account.deleted")
      let issuer = "\(Production.publicURL)/\(production.project)"
      try FileManager.default.createDirectory(
        atPath: folder.path + "/documents/users", withIntermediateDirectories: true)
      for uid in ["ann", "bob"] {
        _ = try folder.write("documents/users/\(uid).json", "{}")
        _ = try await production.command(
          "users", "create", "--uid", uid, "--email", "\(uid)@example.com")
      }
      let receiver = try ChildProcess(
        try Python.path(), [Python.repository + "/Examples/Events/receiver.py"],
        environment: [
          "WEBHOOK_SECRET": hook.secret, "WEBHOOK_URL": url, "ISSUER": issuer,
          "JWKS_URL": "\(server.baseURL)/\(production.project)/.well-known/jwks.json",
          "DOCUMENTS": folder.path + "/documents", "PORT": String(port),
          "PYTHONDONTWRITEBYTECODE": "1",
        ], folder: folder)
      defer { receiver.kill() }
      #expect(try await Deadline.wait { receiver.output.contains("listens") })
      let tested = try await production.command("hooks", "test", hook.id)
      #expect(tested.status == 0, "\(tested.output) \(receiver.errors)")
      _ = try await production.command("users", "delete", "ann", "--yes")
      let isGone = try await Deadline.wait {
        !FileManager.default.fileExists(atPath: folder.path + "/documents/users/ann.json")
      }
      #expect(isGone, "\(receiver.errors)")
      #expect(FileManager.default.fileExists(atPath: folder.path + "/documents/users/bob.json"))
      // An attacker who knows the receiver's URL.
      let forged = try await HTTP.send(
        .post, url, body: #"{"type":"account.deleted","data":{"uid":"bob"},"token":"a.b.c"}"#)
      #expect(forged.status == 401)
      #expect(FileManager.default.fileExists(atPath: folder.path + "/documents/users/bob.json"))
      let rotated = try await production.command("hooks", "set", hook.id, "--new-secret")
      #expect(rotated.output.contains("whsec_"))
      // The receiver has the old secret, which still signs.
      #expect(try await production.command("hooks", "test", hook.id).status == 0)
      _ = try await production.command("hooks", "set", hook.id, "--new-secret")
      #expect(try await production.command("hooks", "test", hook.id).status != 0)
    }
  }

  @Test func `the notes example in Swift deletes the data of a deleted user`() async throws {
    try await TemporaryFolder.with { folder in
      let server = try await GatehouseServer.start(GatehouseServer.Options(), in: folder)
      defer { server.process.kill() }
      let port = try await FreePort.next()
      let url = "http://127.0.0.1:\(port)"
      let added = try await Command.run(
        ["hooks", "add", url + "/events", "--project", "demo", "--data", folder.path + "/data"],
        in: folder)
      let secret = try #require(
        added.output.split(whereSeparator: \.isWhitespace).first { $0.hasPrefix("whsec_") },
        "\(added.errors)")
      let notes = try ChildProcess(
        try Binary.path(of: "example-notes-api"), [],
        environment: [
          "PORT": String(port), "GATEHOUSE_DEV_URL": server.baseURL,
          "GATEHOUSE_WEBHOOK_SECRET": String(secret),
        ], folder: folder)
      defer { notes.kill() }
      #expect(try await Deadline.wait { notes.output.contains("listens") })
      let user = try await server.app.signUp(Unique.email(), "a long password").json
      let (uid, idToken) = (user["localId"].string ?? "", user["idToken"].string ?? "")
      let document = "\(url)/users/\(uid)"
      let bearer = [("authorization", "Bearer \(idToken)")]
      #expect(
        try await HTTP.send(.put, document, headers: bearer, body: #"{"name":"Ann"}"#).status == 200
      )
      let forged = try await HTTP.send(
        .post, url + "/events", body: #"{"type":"account.deleted","data":{"uid":"\#(uid)"}}"#)
      #expect(forged.status == 401)
      #expect(try await HTTP.send(.get, document, headers: bearer).status == 200)
      // An administrator deletes the account, so no app of the user deletes the document.
      let deleted = try await server.administrator.call(
        .post, "accounts:delete", ["localId": .string(uid)])
      #expect(deleted.status == 200)
      #expect(
        try await Deadline.wait {
          try await HTTP.send(.get, document, headers: bearer).status == 404
        })
    }
  }

  @Test func `after a sudden end no event is lost, and each account's are in their order`()
    async throws
  {
    try await Python.serve("event_receiver.py") { ready in
      let url = try #require(ready["url"].string)
      try await TemporaryFolder.with { folder in
        let production = try await Production.make(in: folder)
        let policy = try await production.command(
          "projects", "set", production.project, "allowsPasswords=true")
        #expect(policy.status == 0)
        let hook = try await addHook(production, url)
        _ = try await HTTP.send(.post, url + "secret", body: hook.secret)
        for round in 0..<3 {
          let server = try await production.start()
          let app = AppClient(baseURL: server.baseURL, apiKey: production.apiKey)
          try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<8 {
              group.addTask { try await Self.live("user\(round)-\(number)@example.com", app) }
            }
            try await group.waitForAll()
          }
          // Some events aren't delivered yet.
          try await server.killHard()
        }
        let server = try await production.start()
        defer { server.process.kill() }
        let exported = folder.path + "/log.jsonl"
        _ = try await production.command("audit", "export", exported)
        let log = try String(contentsOfFile: exported, encoding: .utf8).split(separator: "\n")
          .map { JSON(reading: Data($0.utf8))["event"] }.filter { $0["uid"].string != nil }
        #expect(log.count == 3 * 8 * 4)
        let haveArrived = try await Deadline.wait {
          let events = try await HTTP.get(url).json["events"].array
          return Set(events.compactMap { $0["id"].string }).count >= log.count
        }
        #expect(haveArrived)
        let state = try await HTTP.get(url).json
        #expect(state["refused"].array.isEmpty)
        var seen: Set<String> = []
        var arrived: [String: [String]] = [:]
        for event in state["events"].array {
          let id = try #require(event["id"].string)
          let uid = try #require(event["data"]["uid"].string)
          if seen.insert(id).inserted { arrived[uid, default: []].append(id) }
        }
        let recorded = Dictionary(grouping: log) { $0["uid"].string ?? "" }
          .mapValues { $0.compactMap { $0["id"].string } }
        #expect(arrived == recorded)
        #expect(try await production.command("audit", "verify").status == 0)
      }
    }
  }

  /// Causes four events: created, profile changed, profile changed, deleted.
  private static func live(_ email: String, _ app: AppClient) async throws {
    let idToken = try await app.signUp(email, "a long password").json["idToken"]
    for name in ["Ann", "Bob"] {
      _ = try await app.call("update", ["idToken": idToken, "displayName": .string(name)])
    }
    let deleted = try await app.call("delete", ["idToken": idToken])
    #expect(deleted.verdict == "200")
  }

  @Test func `what a receiver doesn't take is listed, and delivered again`() async throws {
    try await Python.serve("event_receiver.py") { ready in
      let url = try #require(ready["url"].string)
      try await Production.with { production, server, _ in
        let hook = try await addHook(production, url)
        _ = try await HTTP.send(.post, url + "secret", body: hook.secret)
        _ = try await HTTP.send(.put, url, body: #"{"status":500}"#)
        _ = try await production.command(
          "users", "create", "--uid", "ann", "--email", "ann@example.com")
        let isListed = try await Deadline.wait {
          try await production.command("hooks", "deliveries").output
            .contains("the receiver responded with status 500")
        }
        #expect(isListed)
        _ = try await HTTP.send(.put, url, body: #"{"status":null}"#)
        let again = try await production.command("hooks", "redeliver", hook.id, "--failed")
        #expect(again.output == "Queued 1 events for \(hook.id). A running server sends them.\n")
        #expect(try await arrivals(1, url))
        let since = try await production.command(
          "hooks", "redeliver", hook.id, "--since", "2020-01-01T00:00:00Z")
        #expect(since.status == 0)
        #expect(try await arrivals(2, url))
        let ids = try await HTTP.get(url).json["events"].array.compactMap { $0["id"].string }
        #expect(Set(ids).count == 1)
      }
    }
  }

  private func arrivals(_ count: Int, _ url: String) async throws -> Bool {
    try await Deadline.wait { try await HTTP.get(url).json["events"].array.count >= count }
  }

  @Test func `a changed audit log is detected, in the database and in a file`() async throws {
    try await Production.with { production, server, administrator in
      for uid in ["ann", "bob", "cid"] {
        _ = try await production.command(
          "users", "create", "--uid", uid, "--email", "\(uid)@example.com")
      }
      _ = try await production.command("users", "disable", "bob")
      let listed = try await production.command("audit", "list", "--user", "bob")
      #expect(listed.lines.count == 3)
      #expect(listed.output.contains("account.disabled"))
      #expect(listed.output.contains("command \(NSUserName())"))
      let held = try await production.command("audit", "verify")
      #expect(held.status == 0, "\(held.output)")
      let file = production.folder.path + "/log.jsonl"
      let keys = try production.folder.write(
        "keys.json", try await production.command("audit", "keys").output)
      _ = try await production.command("audit", "export", file)
      let verified = try await production.command(
        "audit", "verify", "--file", file, "--keys", keys)
      #expect(verified.status == 0, "\(verified.output) \(verified.errors)")
      let token = try #require(verified.lines.last)
      let text = try String(contentsOfFile: file, encoding: .utf8)
      let mailed = try production.folder.write(
        "mailed.jsonl", text.replacingOccurrences(of: "\n", with: "\r\n"))
      let alike = try await production.command(
        "audit", "verify", "--file", mailed, "--keys", keys)
      #expect(alike.output == verified.output, "\(alike.errors)")
      for (old, new) in [
        ("account.disabled", "account.enabled"), (#""uid":"bob""#, #""uid":"ann""#),
      ] {
        let forged = try production.folder.write(
          "forged.jsonl", text.replacingOccurrences(of: old, with: new))
        let refused = try await production.command("audit", "verify", "--file", forged)
        #expect(refused.status != 0)
        #expect(refused.output.contains("FAULT: event"))
      }
      #expect(
        try await production.command("audit", "verify", "--checkpoint", token).status == 0)
      try await server.stop()
      let script = try production.folder.write(
        "tamper.py",
        """
        import sqlite3, sys
        database = sqlite3.connect(sys.argv[1])
        database.execute("UPDATE events SET kind = 'account.enabled' WHERE kind = 'account.disabled'")
        database.commit()
        """)
      guard !TestStore.isPostgres else { return }
      let tampered = try ChildProcess(
        try Python.path(), [script, production.folder.path + "/data/gatehouse.sqlite"],
        folder: production.folder)
      #expect(try await tampered.end() == 0)
      let found = try await production.command("audit", "verify")
      #expect(found.status != 0)
      #expect(found.output.contains("is not the one that was recorded"))
    }
  }

  @Test func `an administrator elsewhere lists, exports and verifies the log`() async throws {
    try await Production.with { production, server, _ in
      _ = try await production.command(
        "users", "create", "--uid", "ann", "--email", "ann@example.com")
      _ = try await production.command("projects", "set", "my-app", "allowsAnonymous=true")
      let key = try await production.command("admin-keys", "create", "--all")
      let place = [
        "--server", server.baseURL, "--admin-key-file",
        try production.folder.write("admin.key", try #require(key.lines.first)),
      ]
      func audit(_ arguments: String...) async throws -> Command {
        try await Command.run(["audit"] + arguments + place, in: production.folder)
      }
      let listed = try await audit("list", "--kind", "setting.changed", "--limit", "5")
      #expect(listed.output.contains("from.policies.allowsAnonymous=false"), "\(listed.errors)")
      #expect(listed.output.contains("to.policies.allowsAnonymous=true"))
      let json = try await audit("list", "--user", "ann", "--json")
      #expect(JSON(reading: Data(json.output.utf8))["events"][0]["kind"] == "account.created")
      let file = production.folder.path + "/remote.jsonl"
      let exported = try await audit("export", file)
      #expect(exported.status == 0, "\(exported.errors)")
      let keys = try production.folder.write("remote.json", try await audit("keys").output)
      let verified = try await Command.run(
        ["audit", "verify", "--file", file, "--keys", keys], in: production.folder)
      #expect(verified.status == 0, "\(verified.output) \(verified.errors)")
      let token = try #require(verified.lines.last)
      let remote = try await audit("verify", "--checkpoint", token)
      #expect(remote.status == 0, "\(remote.errors)")
      #expect(remote.output.contains("The last checkpoint is at number"))
      let own = try await audit("verify", "--server-log")
      #expect(own.status == 0, "\(own.errors)")
    }
  }

  @Test func `each request is one line of the log, without a token`() async throws {
    try await TemporaryFolder.with { folder in
      let server = try await GatehouseServer.start(
        GatehouseServer.Options(
          environment: [
            "GATEHOUSE_LOG_FORMAT": "json", "GATEHOUSE_LOG_REQUESTS": "true",
            "GATEHOUSE_LOG_CLIENT_ADDRESSES": "truncated",
          ]), in: folder)
      defer { server.process.kill() }
      let signedUp = try await server.app.signUp(Unique.email(), "a long password")
      let idToken = try #require(signedUp.json["idToken"].string)
      let uid = try #require(signedUp.json["localId"].string)
      _ = try await server.app.lookup(idToken)
      let lines = server.process.errors.split(separator: "\n")
        .map { JSON(reading: Data($0.utf8)) }.filter { $0["message"] == "request" }
      let lookup = try #require(lines.last { $0["route"] == "lookup" })
      #expect(lookup["status"].number == 200)
      #expect(lookup["uid"].string == uid)
      #expect(lookup["client"] == "127.0.0.0/24")
      #expect(lookup["project"].string?.isEmpty == false)
      #expect(lookup["duration_ms"].number != nil)
      #expect(lookup["request_id"].string?.isEmpty == false)
      #expect(!server.process.errors.contains(idToken))
    }
  }
}
