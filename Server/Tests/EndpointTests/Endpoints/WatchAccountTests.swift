import GatehouseServer
import GatehouseProtocol
import HTTPTypes
import Testing

@Suite struct WatchAccountTests {
  private static let email = "ada@example.com"

  @Test func `a stream begins with ready, and can't be stored or collected on its way`()
    async throws
  {
    try await TestServer.with { server in
      let (idToken, _) = try await server.signUp(Self.email)
      try await EventLinker(store: server.store).run()
      let watch = try await server.watch(TestServer.watching(idToken))
      #expect(watch.status == 200)
      #expect(watch.headers[.contentType] == "text/event-stream")
      #expect(watch.headers[.cacheControl]?.contains("no-store") == true)
      #expect(watch.headers[try #require(HTTPField.Name("x-accel-buffering"))] == "no")
      #expect(watch.types == ["ready"])
      #expect(watch.lastID?.hasPrefix("evt_") == true)
      #expect(watch.text.hasPrefix("retry: "))
      #expect(server.services.watchers.count == 0)
    }
  }

  @Test func `a changed profile is told, without the profile`() async throws {
    try await TestServer.with { server in
      let (idToken, _) = try await server.signUp(Self.email)
      var feed = try await server.feed()
      let watch = try await server.watch(TestServer.watching(idToken)) {
        _ = try await server.call(
          .accounts("update", ["idToken": .string(idToken), "displayName": "Ada L."]))
        try await server.passOn(&feed)
      }
      #expect(watch.types == ["ready", "account.profile_changed"])
      let data = try JSONValue(parsing: try #require(watch.events.last?.data))
      #expect(data["type"] == "account.profile_changed")
      #expect(data["timestamp"]?.string?.isEmpty == false)
      #expect(!watch.text.contains("Ada"))
      #expect(!watch.text.contains(Self.email))
    }
  }

  @Test(arguments: ["deleted", "disabled", "revoked"])
  func `a session that ends is told why, and its stream ends`(_ reason: String) async throws {
    try await TestServer.with { server in
      let (_, uid) = try await server.signUp(Self.email)
      let idToken = try await server.signIn(Self.email)
      var feed = try await server.feed()
      let watch = try await server.watch(TestServer.watching(idToken)) {
        switch reason {
        case "deleted":
          _ = try await server.call(.accounts("delete", ["idToken": .string(idToken)]))
        case "disabled":
          _ = try await server.call(
            .admin(
              .post, "v1/projects/demo/accounts:update",
              ["localId": .string(uid), "disableUser": true]))
        default:
          _ = try await server.call(
            .admin(
              .post, "v1/projects/demo/accounts:endSession",
              ["localId": .string(uid), "others": true]))
        }
        try await server.passOn(&feed)
        while server.services.watchers.count > 0 { await Task.yield() }
      }
      let last = try #require(watch.events.last)
      #expect(last.type == "signed_out")
      #expect(last.data == #"{"reason":"\#(reason)"}"#)
      #expect(last.id == nil)
    }
  }

  @Test func `another device's session ends, and this one's stream goes on`() async throws {
    try await TestServer.with { server in
      let (phone, _) = try await server.signUp(Self.email)
      let tablet = try await server.signIn(Self.email)
      var feed = try await server.feed()
      let watch = try await server.watch(TestServer.watching(phone)) {
        _ = try await server.call(
          .accounts("endSession", ["idToken": .string(phone), "others": true]))
        try await server.passOn(&feed)
        #expect(server.services.watchers.count == 1)
      }
      #expect(watch.types == ["ready", "account.session_ended"])
      let refused = try await server.reopened().call(TestServer.watching(tablet))
      #expect(refused.error == "TOKEN_EXPIRED")
    }
  }

  @Test func `a stream is resumed behind the event that the client knows`() async throws {
    try await TestServer.with { server in
      let (idToken, _) = try await server.signUp(Self.email)
      try await EventLinker(store: server.store).run()
      let first = try await server.watch(TestServer.watching(idToken))
      for name in ["Ada", "Bea"] {
        _ = try await server.call(
          .accounts("update", ["idToken": .string(idToken), "displayName": .string(name)]))
      }
      try await EventLinker(store: server.store).run()
      let reopened = try server.reopened()
      let second = try await reopened.watch(TestServer.watching(idToken, after: first.lastID))
      #expect(second.types == ["account.profile_changed", "account.profile_changed", "ready"])
      let ids = second.events.compactMap(\.id)
      #expect(ids[1] == ids[2])
      var query = TestServer.watching(idToken)
      query.query = "lastEventId=\(ids[0])"
      let third = try await reopened.reopened().watch(query)
      #expect(third.types == ["account.profile_changed", "ready"])
      let nothing = try await reopened.reopened()
        .watch(TestServer.watching(idToken, after: ids[1]))
      #expect(nothing.types == ["ready"])
    }
  }

  @Test func `an unknown event, and another account's, make the client read everything again`()
    async throws
  {
    try await TestServer.with { server in
      let (idToken, _) = try await server.signUp(Self.email)
      let (other, _) = try await server.signUp("bob@example.com")
      try await EventLinker(store: server.store).run()
      let others = try await server.watch(TestServer.watching(other))
      for id in [EventID.random().text, try #require(others.lastID), "1", "evt_"] {
        let watch = try await server.reopened().watch(TestServer.watching(idToken, after: id))
        #expect(watch.types == ["reload", "ready"], "\(id)")
      }
    }
  }

  @Test func `an account without events begins with an empty id`() async throws {
    try await TestServer.with { server in
      let (idToken, _) = try await server.signUp(Self.email)
      // Not linked yet.
      let watch = try await server.watch(TestServer.watching(idToken))
      #expect(watch.types == ["ready"])
      #expect(watch.lastID == "")
    }
  }

  @Test func `a web page sends the ID token in the body, and may read the stream`() async throws {
    try await TestServer.with { server in
      let (idToken, _) = try await server.signUp(Self.email)
      var request = TestRequest.accounts("watch", ["idToken": .string(idToken)])
      request.headers[.origin] = "https://shop.example.com"
      let watch = try await server.watch(request)
      #expect(watch.types == ["ready"])
      #expect(watch.headers[.accessControlAllowOrigin] == "https://shop.example.com")
    }
  }

  @Test func `a stream is refused with the code of the ID token`() async throws {
    try await TestServer.with { server in
      let (idToken, uid) = try await server.signUp(Self.email)
      var refusals: [String?] = []
      for token in [nil, "no-token", idToken + "x"] {
        refusals.append(try await server.call(TestServer.watching(token)).error)
      }
      #expect(refusals == ["MISSING_ID_TOKEN", "INVALID_ID_TOKEN", "INVALID_ID_TOKEN"])
      _ = try await server.call(
        .admin(
          .post, "v1/projects/demo/accounts:update", ["localId": .string(uid), "disableUser": true])
      )
      #expect(try await server.call(TestServer.watching(idToken)).error == "USER_DISABLED")
      #expect(server.services.watchers.count == 0)
    }
  }

  @Test func `a server without room says when to come again`() async throws {
    try await TestServer.with { server in
      let (idToken, _) = try await server.signUp(Self.email)
      var limits = WatchLimits()
      limits.watchers = 1
      let small = try server.reopened(limits)
      _ = try await small.watch(TestServer.watching(idToken)) {
        let refused = try await small.call(TestServer.watching(idToken))
        #expect(refused.status == 503)
        #expect(refused.headers[.retryAfter] == "60")
      }
      let closed = try await small.call(TestServer.watching(idToken))
      #expect(closed.status == 503)
      limits.watchers = 9
      limits.perAddress = 1
      let narrow = try server.reopened(limits)
      _ = try await narrow.watch(TestServer.watching(idToken)) {
        let refused = try await narrow.call(TestServer.watching(idToken))
        #expect(refused.status == 429)
        #expect(refused.errorStatus == "RESOURCE_EXHAUSTED")
      }
      limits.watchers = 0
      #expect(
        try await server.reopened(limits).call(TestServer.watching(idToken)).status == 404)
    }
  }

  @Test func `a head without a body frees its place`() async throws {
    try await TestServer.with { server in
      let (idToken, _) = try await server.signUp(Self.email)
      let head = try await server.call(TestServer.watching(idToken).with { $0.method = .head })
      #expect(head.status == 200)
      #expect(server.services.watchers.count == 0)
    }
  }
}
