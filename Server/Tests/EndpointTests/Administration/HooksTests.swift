import Foundation
import GatehouseServer
import GatehouseProtocol
import HTTPTypes
import Testing

/// A project's hooks over REST.
@Suite struct HooksTests {
  private static let path = "v2/projects/demo/hooks"

  private func request(
    _ method: HTTPRequest.Method, _ rest: String = "", _ body: JSONValue? = nil,
    query: String? = nil
  ) -> TestRequest {
    TestRequest.admin(method, Self.path + rest, body).with { $0.query = query }
  }

  /// Adds a hook; returns `/{id}`.
  private func add(
    _ server: TestServer, _ url: String = "https://api.example.com/ok", events: [JSONValue] = []
  ) async throws -> String {
    let added = try await server.call(
      request(.post, "", ["url": .string(url), "events": .array(events)]))
    let name = try #require(added["name"]?.string)
    return "/" + (name.split(separator: "/").last.map(String.init) ?? "")
  }

  @Test func `a hook is added, read, changed and removed, and its secret is shown once`()
    async throws
  {
    try await TestServer.with { server in
      let added = try await server.call(
        request(
          .post, "", ["url": "https://api.example.com/events", "events": ["account.deleted"]]))
      #expect(added.status == 200)
      #expect(added["secret"]?.string?.hasPrefix("whsec_") == true)
      let name = try #require(added["name"]?.string)
      #expect(name.hasPrefix("projects/demo/hooks/hook_"))
      let id = "/" + (name.split(separator: "/").last.map(String.init) ?? "")
      let read = try await server.call(request(.get, id))
      #expect(read["url"] == "https://api.example.com/events")
      #expect(read["events"] == ["account.deleted"])
      #expect(read["form"] == "json")
      #expect(read["enabled"] == true)
      #expect(read["secret"] == nil)
      let changed = try await server.call(
        request(
          .patch, id, ["enabled": false, "form": "token", "events": ["account.linked"]],
          query: "updateMask=enabled,form"))
      #expect(changed["enabled"] == false)
      #expect(changed["form"] == "token")
      #expect(changed["events"] == ["account.deleted"])
      let listed = try await server.call(request(.get))
      #expect(listed["hooks"] == [changed.json])
      #expect(try await server.call(request(.delete, id)).status == 200)
      let gone = try await server.call(request(.get, id))
      #expect(gone.status == 404)
      #expect(gone.error == "There is no such hook.")
      #expect(try await server.call(request(.get))["hooks"] == [])
    }
  }

  @Test func `a new secret is shown once, and the last one still signs`() async throws {
    try await TestServer.with { server in
      let id = try await add(server)
      let rotated = try await server.call(request(.post, "\(id):rotateSecret", [:]))
      let secret = try #require(rotated["secret"]?.string)
      let project = try #require(ProjectID("demo"))
      let hook = try #require(try await server.services.hooks.hooks(of: project).first)
      #expect(hook.secrets.count == 2)
      #expect(hook.secrets.first?.text.reveal() == secret)
    }
  }

  @Test(
    arguments: [
      ([:], "INVALID_CONFIG : url is missing."),
      (
        ["url": "api.example.com"],
        "INVALID_CONFIG : url is not a URL such as https://api.example.com/events."
      ),
      (
        ["url": "http://api.example.com/"],
        "INVALID_CONFIG : url is an https URL, because requests to it are about users."
      ),
      (
        ["url": "https://api.example.com/", "form": "xml"],
        "INVALID_CONFIG : form is json or token."
      ),
      (
        ["url": "https://api.example.com/", "secret": "whsec_x"],
        "Invalid JSON payload received. Unknown name \"secret\": Cannot find field."
      ),
    ] as [(JSONValue, String)])
  func `a hook that can't work is refused`(_ body: JSONValue, _ error: String) async throws {
    try await TestServer.with { server in
      let refused = try await server.call(request(.post, "", body))
      #expect(refused.status == 400)
      #expect(refused.error == error)
      #expect(try await server.call(request(.get))["hooks"] == [])
    }
  }

  @Test func `an event that doesn't exist is refused, with the list of events`() async throws {
    try await TestServer.with { server in
      let refused = try await server.call(
        request(.post, "", ["url": "https://api.example.com/", "events": ["account.born"]]))
      #expect(refused.error?.hasPrefix("INVALID_CONFIG : events holds names of events: ") == true)
    }
  }

  @Test func `a project has at most 20 hooks`() async throws {
    try await TestServer.with { server in
      for _ in 0..<Hook.maximumPerProject { _ = try await add(server) }
      let refused = try await server.call(request(.post, "", ["url": "https://api.example.com/"]))
      #expect(refused.error == "INVALID_CONFIG : A project has at most 20 hooks.")
    }
  }

  @Test func `a test tells whether the receiver accepts an event`() async throws {
    try await TestServer.with { server in
      let good = try await add(server)
      let fine = try await server.call(request(.post, "\(good):test", [:]))
      #expect(fine["healthy"] == true)
      #expect(fine["findings"]?.array?.first?["verdict"] == "ok")
      let bad = try await add(server, "https://api.example.com/broken")
      let broken = try await server.call(request(.post, "\(bad):test", [:]))
      #expect(broken["healthy"] == false)
      #expect(
        broken["findings"]?.array?.first?["detail"] == "the receiver responded with status 500")
      #expect(
        broken["findings"]?.array?.first?["remedy"]
          == "The receiver must respond with 2xx to events that it doesn't use.")
    }
  }

  @Test func `deliveries are listed in pages, and made again`() async throws {
    try await TestServer.with { server in
      let id = try await add(server)
      for number in 0..<3 {
        _ = try await server.call(
          .accounts(
            "signUp", ["email": .string("u\(number)@example.com"), "password": "notasecret"]))
      }
      try await EventLinker(store: server.store).run()
      let first = try await server.call(
        request(.get, "\(id)/deliveries", query: "pageSize=2"))
      #expect(first["deliveries"]?.array?.count == 2)
      #expect(first["deliveries"]?.array?.first?["event"]?["type"] == "account.created")
      #expect(first["deliveries"]?.array?.first?["state"] == "waiting")
      let token = try #require(first["nextPageToken"]?.string)
      let second = try await server.call(
        request(.get, "\(id)/deliveries", query: "pageSize=2&pageToken=\(token)"))
      #expect(second["deliveries"]?.array?.count == 1)
      #expect(second["nextPageToken"] == nil)
      let event = try #require(second["deliveries"]?.array?.first?["event"]?["id"])
      let redeliver = { (body: JSONValue) in
        try await server.call(request(.post, "\(id):redeliver", body))
      }
      #expect(try await redeliver(["undelivered": true]).json == ["count": 3])
      #expect(try await redeliver(["eventId": event]).json == ["count": 1])
      #expect(try await redeliver(["since": "2020-01-01T00:00:00Z"]).json == ["count": 3])
      #expect(try await redeliver(["since": "2100-01-01T00:00:00Z"]).json == ["count": 0])
      #expect(
        try await redeliver(["eventId": .string(EventID.random().text)]).error
          == "The project's log has no such event.")
      for body in [[:], ["undelivered": true, "since": "2020-01-01T00:00:00Z"]] as [JSONValue] {
        #expect(
          try await redeliver(body).error == "Give one of undelivered, eventId and since.")
      }
    }
  }

  @Test func `viewers read hooks and change none, and other projects' hooks don't exist`()
    async throws
  {
    try await TestServer.withShop(domains: []) { server, _ in
      let shop = try #require(ProjectID("shop"))
      let other = try #require(ProjectID("other"))
      try await server.store.write { transaction in
        try transaction.save(
          Project(
            id: other, number: 1, issuer: "https://auth.example.com/other", authorizedDomains: [],
            policies: ProjectPolicies()))
      }
      let hook = try await server.services.hooks.add(
        url: "https://api.example.com/ok", to: shop, now: TestServer.start)
      let (viewer, _) = try await server.services.adminKeys.create(
        for: shop, role: .viewer, expiresAt: nil, now: TestServer.start)
      let (stranger, _) = try await server.services.adminKeys.create(
        for: other, expiresAt: nil, now: TestServer.start)
      func call(
        _ method: HTTPRequest.Method, _ path: String, _ body: JSONValue? = nil, as key: String
      ) async throws -> TestReply {
        var request = TestRequest.admin(method, "v2/projects/\(path)", body)
        request.bearer = key
        return try await server.call(request)
      }
      let one = "hooks/\(hook.id.text)"
      #expect(try await call(.get, "shop/\(one)", as: viewer.reveal()).status == 200)
      let url: JSONValue = ["url": "https://api.example.com/x"]
      let changes: [(HTTPRequest.Method, String, JSONValue?)] = [
        (.post, "hooks", url), (.patch, one, url), (.delete, one, nil), (.post, "\(one):test", [:]),
        (.post, "\(one):rotateSecret", [:]), (.post, "\(one):redeliver", ["undelivered": true]),
      ]
      for (method, path, body) in changes {
        #expect(try await call(method, "shop/\(path)", body, as: viewer.reveal()).status == 403)
        #expect(try await call(method, "shop/\(path)", body, as: stranger.reveal()).status == 403)
      }
      #expect(try await call(.get, "other/\(one)", as: stranger.reveal()).status == 404)
      let local: JSONValue = ["url": "http://127.0.0.1:9000/"]
      #expect(
        try await call(.post, "other/hooks", local, as: stranger.reveal()).error
          == "INVALID_CONFIG : url can't be on the server's own machine. The operator can set such an "
          + "address on the command line.")
    }
  }
}
