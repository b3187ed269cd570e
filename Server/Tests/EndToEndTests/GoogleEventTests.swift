import Foundation
import Testing

/// Google's security events (Cross-Account Protection), from the simulator to the real server; and
/// the command that lets the simulator send one.
@Suite struct GoogleEventTests {
  @Test func `revoked sessions at Google sign the user out here`() async throws {
    try await withServer { server, _ in
      try await register(server)
      let person = try await server.providers.person()
      let signedIn = try await server.app.signIn(try await server.providers.google(person))
      let idToken = try #require(signedIn.json["idToken"].string)
      // The event's time is in whole seconds. An event in the same second as the sign-in doesn't
      // count as later.
      let isSignedOut = try await Deadline.wait {
        let sent = try await send("sessions-revoked", server, person: person)
        #expect(sent["status"] == 202)
        return try await server.app.lookup(idToken).verdict == "400 TOKEN_EXPIRED"
      }
      #expect(isSignedOut)
      let refreshToken = try #require(signedIn.json["refreshToken"].string)
      #expect(try await server.app.refresh(refreshToken).verdict == "400 TOKEN_EXPIRED")
      let again = try await server.app.signIn(try await server.providers.google(person))
      #expect(again.json["localId"] == signedIn.json["localId"])
    }
  }

  @Test func `a verification is accepted, and shown in the list of providers`() async throws {
    try await withServer { server, folder in
      try await register(server)
      let before = try await providers(folder)
      #expect(
        before.contains("google.com notifications: /v1/notifications/google/demo, none so far"))
      let sent = try await send("verification", server)
      #expect(sent["status"] == 202)
      #expect(sent["delivered"] == true)
      let after = try await providers(folder)
      #expect(after.contains("google.com notifications: /v1/notifications/google/demo, 1 so far"))
      #expect(after.contains("(verification)"))
    }
  }

  @Test func `withdrawn access is reported, by the clients of one receiver`() async throws {
    try await withServer { server, folder in
      let other = "ios.apps.example.com"
      let configured = try await Command.run(
        [
          "providers", "set", "google", "--additional-client-id", other, "--data",
          folder.path + "/data",
        ], in: folder)
      #expect(configured.status == 0, "\(configured.errors)")
      try await register(server)
      try await register(server, as: other)
      let person = try await server.providers.person()
      _ = try await server.app.signIn(try await server.providers.google(person))
      let told = try await HTTP.post(
        "\(server.simulatorURL)/simulator/persons/\(person)/withdraw-consent",
        ["provider": "google", "client_id": .string(SimulatedProviders.googleClientID)])
      let sent = told.json["notifications"][0]
      #expect(sent["type"] == "tokens-revoked")
      // The token's `aud` is an array of both clients.
      #expect(sent["status"] == 202, "\(sent)")
      #expect(try await providers(folder).contains("(consent-revoked)"))
    }
  }

  @Test func `a forged event changes nothing`() async throws {
    try await withServer { server, folder in
      let person = try await server.providers.person()
      let signedIn = try await server.app.signIn(try await server.providers.google(person))
      let idToken = try #require(signedIn.json["idToken"].string)
      for faults: JSON in [
        ["badSignature": true], ["setClaims": ["aud": "another.apps.example.com"]],
        ["setClaims": ["aud": .array([])]], ["setClaims": ["iss": "https://accounts.google.com"]],
        ["setClaims": ["iss": "https://appleid.apple.com"]], ["omitClaims": ["events"]],
        ["omitClaims": ["iat"]], ["setHeader": ["kid": "unknown"]],
      ] {
        let made = try await send("sessions-revoked", server, person: person, faults: faults)
        #expect(made["url"].isNull)
        let token = try await lastToken(server)
        #expect(try await post(token, server).status == 400, "\(faults)")
      }
      // An ID token of the same person, signed with the same key, isn't accepted as an event.
      let credential = try await server.providers.google(person)
      #expect(try await post(credential.idToken, server).status == 400)
      // An event isn't accepted as an ID token.
      _ = try await send("sessions-revoked", server, person: person)
      var forged = credential
      forged.idToken = try await lastToken(server)
      #expect(
        try await server.app.signIn(forged).verdict.hasPrefix("400 INVALID_IDP_RESPONSE"))
      #expect(try await server.app.lookup(idToken).verdict == "200")
      #expect(
        try await providers(folder).contains(
          "google.com notifications: /v1/notifications/google/demo, none so far"))
    }
  }

  // MARK: gatehouse providers test-event

  @Test func `the command sends Google's verification, and prints the answer`() async throws {
    try await withServer { server, folder in
      let sent = try await testEvent(["google"], server, folder)
      #expect(sent.status == 0, "\(sent.errors)")
      #expect(
        sent.output.contains(
          "google.com: verification, for \(SimulatedProviders.googleClientID), sent to "
            + "\(server.baseURL)/v1/notifications/google/demo"))
      #expect(sent.output.contains("The server answered 202"))
      #expect(try await providers(folder).contains("(verification)"))
    }
  }

  @Test func `the command reports Apple's event about who signed in first`() async throws {
    try await withServer { server, folder in
      let nobody = try await testEvent(["apple"], server, folder)
      #expect(nobody.status != 0)
      #expect(nobody.errors.contains("nobody has signed in with Apple at the simulator"))
      let person = try await server.providers.person()
      let sheet = try await server.providers.apple(person, hidesEmail: true)
      _ = try await server.app.signIn(sheet.credential)
      let sent = try await testEvent(["apple"], server, folder)
      #expect(sent.status == 0, "\(sent.errors)")
      #expect(sent.output.contains("apple.com: email-disabled about \(person)"))
      #expect(sent.output.contains("The server answered 200"))
      let listed = try await providers(folder)
      #expect(listed.contains("apple.com notifications: /v1/notifications/apple/demo, 1 so far"))
      #expect(listed.contains("(email-disabled)"))
      let enabled = try await testEvent(
        ["apple", "--type", "email-enabled", "--person", person], server, folder)
      #expect(enabled.status == 0, "\(enabled.errors)")
      let unknown = try await testEvent(["apple", "--type", "other"], server, folder)
      #expect(unknown.errors.contains("the simulator refused: The member \"type\""))
    }
  }

  @Test func `the command says what doesn't answer, and what doesn't accept`() async throws {
    try await withServer { server, folder in
      let free = try await FreePort.next()
      let noSimulator = try await command(
        ["google", "--simulator-port", String(free), "--url", server.baseURL], folder)
      #expect(noSimulator.status != 0)
      #expect(
        noSimulator.errors.contains(
          "no simulator answers at http://127.0.0.1:\(free): start one with `gatehouse serve --dev`"
        ))
      // A server that isn't a simulator is reported as no simulator.
      let other = try await command(
        ["google", "--simulator-port", port(server.baseURL), "--url", server.baseURL], folder)
      #expect(other.errors.contains("no simulator answers at"))
      let noServer = try await command(
        [
          "google", "--simulator-port", port(server.simulatorURL), "--url",
          "http://127.0.0.1:\(free)",
        ], folder)
      #expect(noServer.errors.contains("the server didn't answer at http://127.0.0.1:\(free)/v1"))
      let refused = try await command(
        [
          "google", "--simulator-port", port(server.simulatorURL), "--url",
          server.simulatorURL,
        ], folder)
      #expect(refused.status != 0)
      #expect(refused.output.contains("The server answered 404"))
      #expect(refused.errors.contains("it was not accepted"))
    }
  }

  @Test func `the command is for development only`() async throws {
    try await TemporaryFolder.with { folder in
      let production = try await Production.make(in: folder)
      _ = try await production.command("providers", "set", "google", "--client-id", "a")
      let free = try await FreePort.next()
      let refused = try await production.command(
        "providers", "test-event", "google", "--simulator-port", String(free))
      #expect(refused.status != 0)
      #expect(refused.errors.contains("no simulator answers at"))
    }
  }

  // MARK: Steps

  private func register(
    _ server: GatehouseServer, as client: String = SimulatedProviders.googleClientID
  ) async throws {
    try await server.providers.put(
      "clients",
      [
        "provider": "google", "client_id": .string(client),
        "notification_url": .string("\(server.baseURL)/v1/notifications/google/demo"),
      ])
  }

  /// - Returns: The notification with the server's answer.
  private func send(
    _ type: String, _ server: GatehouseServer, person: String? = nil, faults: JSON = [:]
  ) async throws -> JSON {
    var body: [String: JSON] = [
      "client_id": .string(SimulatedProviders.googleClientID), "type": .string(type),
      "faults": faults,
    ]
    if let person { body["person"] = .string(person) }
    let reply = try await HTTP.post(
      "\(server.simulatorURL)/simulator/google/events", .object(body))
    guard reply.status == 200 else { throw Unexpected(reply) }
    return reply.json["notifications"][0]
  }

  private func lastToken(_ server: GatehouseServer) async throws -> String {
    let list = try await HTTP.get("\(server.simulatorURL)/simulator/google/events")
    return try #require(list.json["notifications"].array.last?["payload"].string)
  }

  private func post(_ token: String, _ server: GatehouseServer) async throws -> Reply {
    try await HTTP.send(
      .post, "\(server.baseURL)/v1/notifications/google/demo",
      headers: [("content-type", "application/secevent+jwt")], body: token)
  }

  private func providers(_ folder: TemporaryFolder) async throws -> String {
    try await Command.run(
      ["providers", "list", "--data", folder.path + "/data"], in: folder
    ).output
  }

  private func testEvent(
    _ arguments: [String], _ server: GatehouseServer, _ folder: TemporaryFolder
  ) async throws -> Command {
    try await command(
      arguments + [
        "--simulator-port", port(server.simulatorURL), "--url", server.baseURL,
      ], folder)
  }

  private func command(
    _ arguments: [String], _ folder: TemporaryFolder
  ) async throws -> Command {
    try await Command.run(
      ["providers", "test-event"] + arguments + ["--data", folder.path + "/data"], in: folder)
  }

  private func port(_ url: String) -> String { String(url.split(separator: ":").last ?? "") }
}
