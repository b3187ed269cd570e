import Foundation
import Testing

/// Providers' tokens from the sign-in to the deletion, with the real server, command and simulator.
@Suite struct ProviderTokenTests {
  @Test func `one sheet is enough: the deletion revokes at Apple`() async throws {
    try await GatehouseServer.with { server in
      let person = try await server.providers.person()
      let (user, idToken) = try await signIn(person, server)
      try await keeps(server, idToken)
      #expect(try await server.providers.appleCredentialState(user) == "authorized")
      let deleted = try await server.app.call("delete", ["idToken": .string(idToken)])
      #expect(deleted.verdict == "200")
      #expect(
        try await Deadline.wait {
          try await server.providers.appleCredentialState(user) == "revoked"
        })
    }
  }

  @Test func `a deletion doesn't wait for Apple, and survives the server's sudden end`()
    async throws
  {
    try await TemporaryFolder.with { folder in
      // A separate simulator keeps its state when the server is killed; the server's own would lose
      // it.
      let simulator = try ChildProcess(
        try Binary.path(), ["simulate", "--port", "0"], folder: folder)
      defer { simulator.kill() }
      let line = "Simulator listens on "
      let isListening = try await Deadline.wait {
        simulator.output.contains(line) && simulator.output.hasSuffix("\n")
      }
      try #require(isListening)
      let apple = SimulatedProviders(
        baseURL: String(simulator.output.split(separator: "\n").first?.dropFirst(line.count) ?? ""))
      let options = GatehouseServer.Options(
        arguments: ["--set", "providers.baseURL=\(apple.baseURL)"])
      let first = try await GatehouseServer.start(options, in: folder)
      let person = try await apple.person()
      let (user, idToken) = try await signIn(person, first, apple)
      try await keeps(first, idToken)
      try await apple.put(
        "faults", ["endpoints": [["path": "/apple/auth/revoke", "status": 503]]])
      let deleted = try await first.app.call("delete", ["idToken": .string(idToken)])
      #expect(deleted.verdict == "200")
      #expect(
        try await Deadline.wait {
          try await outbox(folder).contains("the provider refused: 503")
        })
      try await first.killHard()

      let restarted = try await GatehouseServer.start(options, in: folder)
      defer { restarted.process.kill() }
      #expect(try await apple.appleCredentialState(user) == "authorized")
      // The operator retries at once. Apple still refuses, so the entry stays.
      let id = try #require(
        try await outbox(folder).split(separator: "\n").last?.split(separator: " ").first)
      let retried = try await Command.run(
        ["outbox", "retry", String(id), "--data", folder.path + "/data"], in: folder)
      #expect(retried.status == 0)
      try await apple.put("faults", ["endpoints": []])
      #expect(
        try await Deadline.wait {
          try await apple.appleCredentialState(user) == "revoked"
        })
      #expect(
        try await Deadline.wait {
          try await outbox(folder).contains("The outbox is empty.")
        })
    }
  }

  @Test func `a code that was exchanged after the sign-in can be revoked by the app`()
    async throws
  {
    try await GatehouseServer.with { server in
      let sheet = try await server.providers.apple(try await server.providers.person())
      let signedIn = try await server.app.signInWithIdp(postBody: sheet.postBodyWithCode)
      let idToken = try #require(signedIn.json["idToken"].string)
      let revoked = try await server.app.revokeAppleCode(
        sheet.authorizationCode, idToken: idToken)
      #expect(revoked.verdict == "200")
      #expect(try await server.providers.appleCredentialState(sheet.user) == "revoked")
      // The client repeats the request, because a response may be lost.
      let again = try await server.app.revokeAppleCode(
        sheet.authorizationCode, idToken: idToken)
      #expect(again.verdict == "200")
    }
  }

  @Test func `another account can't revoke with a code that it didn't bring`() async throws {
    try await GatehouseServer.with { server in
      let sheet = try await server.providers.apple(try await server.providers.person())
      let signedIn = try await server.app.signInWithIdp(postBody: sheet.postBodyWithCode)
      try await keeps(server, try #require(signedIn.json["idToken"].string))
      let other = try await server.app.signIn(
        try await server.providers.apple(try await server.providers.person()).credential)
      let refused = try await server.app.revokeAppleCode(
        sheet.authorizationCode, idToken: try #require(other.json["idToken"].string))
      #expect(refused.status == 400)
      #expect(try await server.providers.appleCredentialState(sheet.user) == "authorized")
    }
  }

  @Test func `a deletion revokes Facebook's grant without a token of the user`() async throws {
    try await GatehouseServer.with { server in
      let person = try await server.providers.person(email: Unique.email())
      let sheet = try await HTTP.post(
        "\(server.simulatorURL)/facebook/native-sign-in",
        ["client_id": "1234567890", "person": .string(person)])
      let token = try #require(sheet.json["accessToken"].string)
      let postBody = "access_token=\(token)&providerId=facebook.com"
      let signedIn = try await server.app.signInWithIdp(postBody: postBody)
      let deleted = try await server.app.call("delete", ["idToken": signedIn.json["idToken"]])
      #expect(deleted.verdict == "200")
      #expect(
        try await Deadline.wait {
          try await server.app.signInWithIdp(postBody: postBody).status == 400
        })
    }
  }

  // MARK: Steps

  /// Signs in as an app that sends the sheet's code.
  private func signIn(
    _ person: String, _ server: GatehouseServer, _ providers: SimulatedProviders? = nil
  ) async throws -> (user: String, idToken: String) {
    let sheet = try await (providers ?? server.providers).apple(person)
    let reply = try await server.app.signInWithIdp(postBody: sheet.postBodyWithCode)
    return (sheet.user, try #require(reply.json["idToken"].string))
  }

  /// Waits until the server has exchanged the code of the sign-in.
  private func keeps(_ server: GatehouseServer, _ idToken: String) async throws {
    let isKept = try await Deadline.wait {
      try await server.app.lookup(idToken)
        .json["users"][0]["providerUserInfo"][0]["revokedOnDeletion"] == true
    }
    #expect(isKept)
  }

  private func outbox(_ folder: TemporaryFolder) async throws -> String {
    try await Command.run(
      ["outbox", "list", "--data", folder.path + "/data"], in: folder
    ).output
  }
}

extension SimulatedProviders.AppleSheet {
  fileprivate var postBodyWithCode: String {
    credential.postBody + "&code=" + Form.escape(authorizationCode)
  }
}
