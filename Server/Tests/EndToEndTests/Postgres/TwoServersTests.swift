import Foundation
import Testing

/// Two servers over one database: each knows the other's changes.
@Suite struct TwoServersTests {
  private struct Pair {
    let database: TestDatabase
    let first: GatehouseServer
    let second: GatehouseServer
    let providers: SimulatedProviders
    let folder: TemporaryFolder
  }

  private func withPair(_ body: (Pair) async throws -> Void) async throws {
    try await TemporaryFolder.with { folder in
      let database = try TestDatabase.make()
      let simulator = try ChildProcess(
        try Binary.path(), ["simulate", "--port", "0"], folder: folder)
      defer { simulator.kill() }
      let line = "Simulator listens on "
      let isListening = try await Deadline.wait {
        simulator.output.contains(line) && simulator.output.hasSuffix("\n")
      }
      try #require(isListening)
      let providers = SimulatedProviders(
        baseURL: String(simulator.output.split(separator: "\n").first?.dropFirst(line.count) ?? ""))
      let options = database.options(["--set", "providers.baseURL=\(providers.baseURL)"])
      let first = try await GatehouseServer.start(options, in: folder)
      defer { first.process.kill() }
      let second = try await GatehouseServer.start(options, in: folder)
      defer { second.process.kill() }
      try await body(
        Pair(
          database: database, first: first, second: second, providers: providers, folder: folder))
    }
  }

  @Test func `a session goes on at the other server, and ends at both`() async throws {
    try await withPair { pair in
      let person = try await pair.providers.person()
      let signedIn = try await pair.first.app.signIn(try await pair.providers.google(person))
      let refreshToken = try #require(signedIn.json["refreshToken"].string)
      let refreshed = try await pair.second.app.refresh(refreshToken)
      #expect(refreshed.verdict == "200")
      let again = try await pair.second.app.signIn(try await pair.providers.google(person))
      #expect(again.json["localId"] == signedIn.json["localId"])
      let idToken = try #require(refreshed.json["id_token"].string)
      #expect(try await pair.first.app.lookup(idToken).verdict == "200")
      #expect(
        try await pair.first.app.call("delete", ["idToken": .string(idToken)]).verdict == "200")
      #expect(try await pair.second.app.lookup(idToken).verdict == "400 USER_NOT_FOUND")
    }
  }

  @Test func `a provider's token is used once, at whichever server`() async throws {
    try await withPair { pair in
      let credential = try await pair.providers.google(try await pair.providers.person())
      let verdicts = try await withThrowingTaskGroup(of: String.self) { group in
        for number in 0..<12 {
          let server = number.isMultiple(of: 2) ? pair.first : pair.second
          group.addTask { try await server.app.signIn(credential).verdict }
        }
        return try await group.reduce(into: [String: Int]()) { $0[$1, default: 0] += 1 }
      }
      #expect(verdicts["200"] == 1)
      #expect(verdicts.count == 2, "\(verdicts)")
    }
  }

  @Test func `a changed setting is in effect at the other server when the change is confirmed`()
    async throws
  {
    try await withPair { pair in
      for isDisabled in [true, false, true] {
        let changed = try await pair.first.administrator.call(
          .patch, "config?updateMask=client.permissions.disabledUserSignup",
          ["client": ["permissions": ["disabledUserSignup": .bool(isDisabled)]]], version: "v2")
        #expect(changed.status == 200, "\(changed.text)")
        let signUp = try await pair.second.app.signUp(Unique.email(), "a long password")
        #expect(signUp.status == (isDisabled ? 400 : 200), "\(signUp.text)")
      }
    }
  }

  @Test func `each revocation is sent once, although both servers look for work`() async throws {
    try await withPair { pair in
      var users: [String] = []
      for number in 0..<6 {
        let server = number.isMultiple(of: 2) ? pair.first : pair.second
        let sheet = try await pair.providers.apple(try await pair.providers.person())
        let reply = try await server.app.signInWithIdp(
          postBody: sheet.credential.postBody + "&code=" + Form.escape(sheet.authorizationCode))
        let idToken = try #require(reply.json["idToken"].string)
        let isKept = try await Deadline.wait {
          try await server.app.lookup(idToken)
            .json["users"][0]["providerUserInfo"][0]["revokedOnDeletion"] == true
        }
        #expect(isKept)
        _ = try await server.app.call("delete", ["idToken": .string(idToken)])
        users.append(sheet.user)
      }
      for user in users {
        #expect(
          try await Deadline.wait {
            try await pair.providers.appleCredentialState(user) == "revoked"
          })
      }
      let requests = try await HTTP.get("\(pair.providers.baseURL)/simulator/requests")
      #expect(requests.json["counts"]["/apple/auth/revoke"].number == Double(users.count))
    }
  }

  @Test func `if one is killed under load, the other one goes on, and nothing confirmed is lost`()
    async throws
  {
    try await withPair { pair in
      let confirmed = try await withThrowingTaskGroup(of: [String].self) { group in
        for number in 0..<8 {
          let server = number.isMultiple(of: 2) ? pair.first : pair.second
          group.addTask {
            var uids: [String] = []
            for _ in 0..<25 {
              // The killed server breaks its connections.
              guard let reply = try? await server.app.signUp(Unique.email(), "a long password"),
                let uid = reply.json["localId"].string
              else { continue }
              uids.append(uid)
            }
            return uids
          }
        }
        group.addTask {
          try await Task.sleep(for: .milliseconds(300))
          try await pair.first.killHard()
          return []
        }
        return try await group.reduce(into: []) { $0 += $1 }
      }
      #expect(confirmed.count >= 100)
      for uid in confirmed {
        #expect(try await pair.second.administrator.account(uid)["localId"].string == uid)
      }
    }
  }

  @Test func `a rotation of the master key waits for servers on other machines`() async throws {
    try await TemporaryFolder.with { folder in
      let database = try TestDatabase.make()
      let key = try #require(try await Command.run(["keys", "new-master"], in: folder).lines.first)
      // Each of the two machines has its own file.
      var files: [String] = []
      for name in ["one.key", "two.key"] {
        let file = try folder.write(name, key + "\n")
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file)
        files.append(file)
      }
      func command(_ arguments: String...) async throws -> Command {
        try await Command.run(
          arguments + ["--database", database.url, "--master-key-file", files[0]],
          environment: TestDatabase.patience, in: folder)
      }
      let made = try await command(
        "projects", "create", "my-app", "--public-url", Production.publicURL)
      let words = made.output.split(whereSeparator: \.isWhitespace).map(String.init)
      var servers: [GatehouseServer] = []
      defer { for server in servers { server.process.kill() } }
      for file in files {
        servers.append(
          try await GatehouseServer.start(
            GatehouseServer.Options(
              isDevelopment: false,
              arguments: [
                "--public-url", Production.publicURL, "--database", database.url,
                "--master-key-file", file,
              ], environment: TestDatabase.patience), in: folder))
      }
      let refused = try await command("keys", "rotate-master")
      #expect(refused.status != 0)
      #expect(refused.errors.contains("doesn't have the new master key"), "\(refused.errors)")
      // The operator copies the file to the other machine.
      try String(contentsOfFile: files[0], encoding: .utf8)
        .write(toFile: files[1], atomically: false, encoding: .utf8)
      let rotated = try await command("keys", "rotate-master")
      #expect(rotated.status == 0, "\(rotated.errors)")
      for server in servers {
        var app = server.app
        app.apiKey = try #require(words.first { $0.hasPrefix("gk_") })
        #expect(try await app.signUp(Unique.email(), "a long password").verdict == "200")
      }
    }
  }
}
