import GatehouseServer
import GatehouseProtocol
import HTTPTypes
import Testing

@Suite struct DeviceSessionsTests {
  private let credential: JSONValue = ["email": "ada@example.com", "password": "secret1"]

  /// Signs up on a phone, and in on a tablet; the replies of both.
  private func signInTwice(_ server: TestServer) async throws -> (
    phone: TestReply, tablet: TestReply
  ) {
    var phone = TestRequest.accounts("signUp", credential)
    phone.headers = [.userAgent: "Example/1 iPhone16,1"]
    let first = try await server.call(phone)
    var tablet = TestRequest.accounts("signInWithPassword", credential)
    tablet.headers = [.userAgent: "Example/1 iPad14,2"]
    return (first, try await server.call(tablet))
  }

  private func sessions(_ reply: TestReply, _ server: TestServer) async throws -> [JSONObject] {
    var request = TestRequest("/v1/accounts:sessions")
    request.method = .get
    request.bearer = reply["idToken"]?.string
    return try await server.call(request)["sessions"]?.array?.compactMap(\.object) ?? []
  }

  private func lookup(_ reply: TestReply, _ server: TestServer) async throws -> TestReply {
    try await server.call(.accounts("lookup", ["idToken": reply["idToken"] ?? .null]))
  }

  @Test func `a user sees the devices, the newest first, and which one is this`() async throws {
    try await TestServer.with { server in
      let (phone, tablet) = try await signInTwice(server)
      let shown = try await sessions(tablet, server)
      #expect(
        shown.map { $0["userAgent"]?.string } == ["Example/1 iPad14,2", "Example/1 iPhone16,1"])
      #expect(shown.map { $0["current"]?.bool } == [true, false])
      #expect(shown.allSatisfy { $0["signInProvider"] == "password" })
      let byBody = try await server.call(
        .accounts("sessions", ["idToken": tablet["idToken"] ?? .null]))
      #expect(byBody["sessions"]?.array?.compactMap(\.object) == shown)
      let ofPhone = try await sessions(phone, server)
      #expect(ofPhone.map { $0["current"]?.bool } == [false, true])
    }
  }

  /// In a row of flags, a search for the last character reads the whole row, for each flag.
  @Test(.timeLimit(.minutes(5))) func `a user agent of a million bytes is cut at once`()
    async throws
  {
    try await TestServer.with { server in
      var request = TestRequest.accounts("signUp", credential)
      request.headers = [.userAgent: String(repeating: "🇩🇪", count: 131_072)]
      let shown = try await sessions(try await server.call(request), server)
      #expect(shown.map { $0["userAgent"]?.string } == [String(repeating: "🇩🇪", count: 32)])
    }
  }

  @Test func `a user ends another session, and the device's tokens end`() async throws {
    try await TestServer.with { server in
      let (phone, tablet) = try await signInTwice(server)
      let other = try #require(try await sessions(tablet, server).last?["sessionId"])
      let ended = try await server.call(
        .accounts("endSession", ["idToken": tablet["idToken"] ?? .null, "sessionId": other]))
      #expect(ended.status == 200)
      #expect(try await lookup(phone, server).error == "TOKEN_EXPIRED")
      #expect(try await lookup(tablet, server).status == 200)
      #expect(try await sessions(tablet, server).count == 1)
    }
  }

  @Test func `a user ends all other sessions`() async throws {
    try await TestServer.with { server in
      let (phone, tablet) = try await signInTwice(server)
      let ended = try await server.call(
        .accounts("endSession", ["idToken": phone["idToken"] ?? .null, "others": true]))
      #expect(ended["ended"]?.number?.int64 == 1)
      #expect(try await lookup(tablet, server).error == "TOKEN_EXPIRED")
      #expect(try await lookup(phone, server).status == 200)
    }
  }

  @Test func `nobody ends or names another user's session`() async throws {
    try await TestServer.with { server in
      let (phone, _) = try await signInTwice(server)
      let bob = try await server.call(
        .accounts("signUp", ["email": "bob@example.com", "password": "secret1"]))
      let session = try #require(try await sessions(phone, server).last?["sessionId"])
      let own = bob["idToken"] ?? .null
      _ = try await server.call(
        .accounts("endSession", ["idToken": own, "sessionId": session]))
      #expect(try await lookup(phone, server).status == 200)
      let named = try await server.call(
        .accounts("nameSession", ["idToken": own, "sessionId": session, "name": "mine"]))
      #expect(named.status == 400)
      #expect(try await sessions(phone, server).allSatisfy { $0["name"] == nil })
    }
  }

  @Test func `a user names a device, and removes the name`() async throws {
    try await TestServer.with { server in
      let (phone, _) = try await signInTwice(server)
      let idToken = phone["idToken"] ?? .null
      let session = try #require(try await sessions(phone, server).last?["sessionId"])
      let named = try await server.call(
        .accounts("nameSession", ["idToken": idToken, "sessionId": session, "name": "Ada's phone"]))
      #expect(named.status == 200)
      #expect(try await sessions(phone, server).last?["name"] == "Ada's phone")
      _ = try await server.call(
        .accounts("nameSession", ["idToken": idToken, "sessionId": session]))
      #expect(try await sessions(phone, server).last?["name"] == nil)
    }
  }

  @Test(arguments: [String(repeating: "a", count: 101), "a\u{7}b", "a\u{202E}b"])
  func `a name that is too long or has control characters is refused`(_ name: String) async throws {
    try await TestServer.with { server in
      let (phone, _) = try await signInTwice(server)
      let session = try #require(try await sessions(phone, server).last?["sessionId"])
      let named = try await server.call(
        .accounts(
          "nameSession",
          [
            "idToken": phone["idToken"] ?? .null, "sessionId": session, "name": .string(name),
          ]))
      #expect(named.status == 400)
      #expect(named.error?.hasPrefix("name must have at most 100 characters") == true)
    }
  }

  @Test(
    arguments: [
      ["sessionId": "xyz"], [:], ["sessionId": "00112233445566778899aabbccddeeff", "others": true],
    ] as [JSONObject])
  func `an end without one clear target is refused`(_ target: JSONObject) async throws {
    try await TestServer.with { server in
      let (phone, _) = try await signInTwice(server)
      var body = target
      body["idToken"] = phone["idToken"] ?? .null
      #expect(try await server.call(.accounts("endSession", .object(body))).status == 400)
      #expect(try await sessions(phone, server).count == 2)
    }
  }

  @Test func `an administrator sees and ends anyone's sessions`() async throws {
    try await TestServer.with { server in
      let (phone, tablet) = try await signInTwice(server)
      let uid = phone["localId"]?.string ?? ""
      var request = TestRequest.admin(.get, "v1/projects/demo/accounts:sessions")
      request.query = "localId=\(uid)"
      #expect(try await server.call(request)["sessions"]?.array?.count == 2)
      let ended = try await server.call(
        .admin(
          .post, "v1/projects/demo/accounts:endSession",
          ["localId": .string(uid), "others": true]))
      #expect(ended["ended"]?.number?.int64 == 2)
      for reply in [phone, tablet] {
        #expect(try await lookup(reply, server).error == "TOKEN_EXPIRED")
      }
    }
  }
}
