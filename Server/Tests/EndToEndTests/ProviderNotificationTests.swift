import Foundation
import Testing

/// Providers' notifications, from the simulator to the real server.
@Suite struct ProviderNotificationTests {
  @Test func `a user who withdraws consent at Apple is signed out here`() async throws {
    try await withServer { server, folder in
      try await register(server)
      let person = try await server.providers.person()
      let sheet = try await server.providers.apple(person)
      let signedIn = try await server.app.signIn(sheet.credential)
      let idToken = try #require(signedIn.json["idToken"].string)
      let told = try await withdraw(person, server)
      #expect(told.json["notifications"][0]["status"] == 200)
      #expect(
        try await Deadline.wait {
          try await server.app.lookup(idToken).verdict == "400 TOKEN_EXPIRED"
        })
      let refreshToken = try #require(signedIn.json["refreshToken"].string)
      #expect(try await server.app.refresh(refreshToken).verdict == "400 TOKEN_EXPIRED")
      // By signing in again, the user grants access again, and has the same account.
      let again = try await server.app.signIn(try await server.providers.apple(person).credential)
      #expect(again.json["localId"] == signedIn.json["localId"])
    }
  }

  @Test func `the session that revokes at Apple continues, and can delete the account`()
    async throws
  {
    try await withServer { server, folder in
      try await register(server)
      let person = try await server.providers.person()
      let signedIn = try await server.app.signIn(
        try await server.providers.apple(person).credential)
      let idToken = try #require(signedIn.json["idToken"].string)
      let code = try await server.providers.apple(person).authorizationCode
      #expect(try await server.app.revokeAppleCode(code, idToken: idToken).verdict == "200")
      #expect(try await outboxIsEmpty(folder))
      #expect(try await server.app.lookup(idToken).verdict == "200")
      let deleted = try await server.app.call("delete", ["idToken": .string(idToken)])
      #expect(deleted.verdict == "200")
    }
  }

  @Test func `a made-up token doesn't keep a stolen session when the user withdraws consent`()
    async throws
  {
    try await withServer { server, _ in
      try await register(server)
      let person = try await server.providers.person()
      let stolen = try await server.app.signIn(
        try await server.providers.apple(person).credential)
      let idToken = try #require(stolen.json["idToken"].string)
      let revoked = try await HTTP.post(
        "\(server.baseURL)/identitytoolkit.googleapis.com/v2/accounts:revokeToken?key=any-key",
        [
          "providerId": "apple.com", "tokenType": 1, "token": "made-up",
          "idToken": .string(idToken),
        ])
      #expect(revoked.verdict == "200")
      _ = try await withdraw(person, server)
      #expect(
        try await Deadline.wait {
          try await server.app.lookup(idToken).verdict == "400 TOKEN_EXPIRED"
        })
    }
  }

  @Test func `forged, foreign and repeated notifications change nothing`() async throws {
    try await withServer { server, folder in
      let person = try await server.providers.person()
      let signedIn = try await server.app.signIn(
        try await server.providers.apple(person).credential)
      let idToken = try #require(signedIn.json["idToken"].string)
      let url = "\(server.baseURL)/v1/notifications/apple/demo"
      for body: JSON in [["payload": .string(idToken)], ["payload": "a.b.c"], [:], ["payload": 1]] {
        #expect(try await HTTP.post(url, body).status == 400)
      }
      for faults: JSON in [
        ["badSignature": true], ["setClaims": ["aud": "another.app"]],
        ["setClaims": ["iss": "https://accounts.google.com"]], ["omitClaims": ["events"]],
      ] {
        let payload = try await payload(of: person, server, faults: faults)
        #expect(try await HTTP.post(url, ["payload": .string(payload)]).status == 400)
      }
      let unknown = try await HTTP.post(
        "\(server.baseURL)/v1/notifications/apple/nowhere", ["payload": "a.b.c"])
      #expect(unknown.status == 404)
      #expect(try await server.app.lookup(idToken).verdict == "200")

      // The same notification arrives twice. The second doesn't end a sign-in between the two.
      let payload = try await payload(of: person, server)
      #expect(try await HTTP.post(url, ["payload": .string(payload)]).status == 200)
      #expect(
        try await Deadline.wait {
          try await server.app.lookup(idToken).verdict == "400 TOKEN_EXPIRED"
        })
      let again = try await server.app.signIn(try await server.providers.apple(person).credential)
      #expect(try await HTTP.post(url, ["payload": .string(payload)]).status == 200)
      #expect(try await outboxIsEmpty(folder))
      #expect(
        try await server.app.lookup(try #require(again.json["idToken"].string)).verdict == "200")
    }
  }

  /// The environment variable `NOTIFICATIONS` sets another number: `NOTIFICATIONS=10000`.
  @Test func `of many notifications at once none is lost, and sign-ins go on beside them`()
    async throws
  {
    let count = ProcessInfo.processInfo.environment["NOTIFICATIONS"] ?? "500"
    let port = try await FreePort.next()
    try await TemporaryFolder.with { folder in
      let server = try await GatehouseServer.start(
        .init(arguments: ["--set", "providers.baseURL=http://127.0.0.1:\(port)"]),
        in: folder)
      defer { server.process.kill() }
      let report = try await Python.run(
        "apple_notifications.py", ["\(port)", count], environment: server.clientEnvironment)
      #expect(try JSON(reading: Data(report.utf8))["signInsMeanwhile"].number ?? 0 > 0, "\(report)")
    }
  }

  @Test func `notifications are passed on to the project's own receiver`() async throws {
    try await withServer { server, folder in
      // The receiver is a second server, which verifies the notification as it would Apple's.
      let other = TemporaryFolder(path: folder.path + "/receiver")
      try FileManager.default.createDirectory(
        atPath: other.path, withIntermediateDirectories: true)
      let receiver = try await GatehouseServer.start(
        .init(arguments: ["--set", "providers.baseURL=\(server.simulatorURL)"]),
        in: other)
      defer { receiver.process.kill() }
      let configured = try await Command.run(
        [
          "providers", "set", "apple", "--forward-notifications",
          "\(receiver.baseURL)/v1/notifications/apple/demo", "--data", folder.path + "/data",
        ], in: folder)
      #expect(configured.status == 0, "\(configured.errors)")
      try await register(server)
      let person = try await server.providers.person()
      let signedIn = try await receiver.app.signIn(
        try await server.providers.apple(person).credential)
      let idToken = try #require(signedIn.json["idToken"].string)
      _ = try await withdraw(person, server)
      #expect(
        try await Deadline.wait {
          try await receiver.app.lookup(idToken).verdict == "400 TOKEN_EXPIRED"
        })
      #expect(try await outboxIsEmpty(folder))
    }
  }

  // MARK: Steps

  private func register(_ server: GatehouseServer) async throws {
    try await server.providers.put(
      "clients",
      [
        "provider": "apple", "client_id": .string(SimulatedProviders.bundleID),
        "team_id": "TEAM123456",
        "notification_url": .string("\(server.baseURL)/v1/notifications/apple/demo"),
      ])
  }

  private func withdraw(_ person: String, _ server: GatehouseServer) async throws -> Reply {
    try await HTTP.post(
      "\(server.simulatorURL)/simulator/persons/\(person)/withdraw-consent",
      ["provider": "apple", "client_id": .string(SimulatedProviders.bundleID)])
  }

  /// The payload of a notification that the simulator creates but doesn't send.
  private func payload(
    of person: String, _ server: GatehouseServer, faults: JSON = [:]
  ) async throws -> String {
    let made = try await HTTP.post(
      "\(server.simulatorURL)/simulator/apple/notifications",
      [
        "client_id": .string(SimulatedProviders.bundleID), "person": .string(person),
        "type": "consent-revoked", "faults": faults,
      ])
    let list = try await HTTP.get("\(server.simulatorURL)/simulator/apple/notifications")
    guard made.status == 200, let payload = list.json["notifications"].array.last?["payload"].string
    else { throw Unexpected(made) }
    return payload
  }

  /// Waits until the outbox is empty, so that all notifications have been applied.
  private func outboxIsEmpty(_ folder: TemporaryFolder) async throws -> Bool {
    try await Deadline.wait {
      try await Command.run(
        ["outbox", "list", "--data", folder.path + "/data"], in: folder
      ).output.contains("The outbox is empty.")
    }
  }
}
