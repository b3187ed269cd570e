import Foundation
import Testing

/// An app that moves to another Apple team, with the real server, command and simulator.
@Suite struct AppleTransferTests {
  @Test func `every user keeps the account, also one who signs in before the job is finished`()
    async throws
  {
    try await TemporaryFolder.with { folder in
      let server = try await GatehouseServer.start(.init(), in: folder)
      defer { server.process.kill() }
      var accounts: [(person: String, localID: String?)] = []
      for number in 0..<3 {
        let person = try await server.providers.person()
        let sheet = try await server.providers.apple(person, hidesEmail: number == 0)
        let signedIn = try await server.app.signIn(sheet.credential)
        accounts.append((person, signedIn.json["localId"].string))
      }
      let prepared = try await transfer(server, folder, ["prepare", "--to", "TEAM222222"])
      #expect(prepared.lines.last == "Done: 3 prepared.", "\(prepared.errors)")

      let moved = try await HTTP.post(
        "\(server.simulatorURL)/simulator/apple/transfer",
        ["client_id": .string(SimulatedProviders.bundleID), "team_id": "TEAM222222"])
      #expect(moved.status == 200)
      let key = try folder.write("team.p8", Self.key)
      let configured = try await Command.run(
        [
          "providers", "set", "apple", "--team-id", "TEAM222222", "--key-id", "KEY2222222",
          "--key-file", key, "--data", folder.path + "/data",
        ], in: folder)
      #expect(configured.status == 0, "\(configured.errors)")

      // The first user comes back before the operator finishes.
      let early = try await server.providers.apple(accounts[0].person, hidesEmail: true)
      #expect(
        try await server.app.signIn(early.credential).json["localId"].string
          == accounts[0].localID)
      let finished = try await transfer(server, folder, ["finish"])
      #expect(finished.lines.last == "Done: 2 moved.", "\(finished.errors)")
      for account in accounts {
        let sheet = try await server.providers.apple(account.person)
        let signedIn = try await server.app.signIn(sheet.credential)
        #expect(signedIn.json["localId"].string == account.localID)
        #expect(signedIn.json["isNewUser"] != true)
      }
      let status = try await Command.run(
        ["apple", "transfer", "status", "--data", folder.path + "/data"], in: folder)
      #expect(status.output == "3 prepared, 3 of them moved.\n")
    }
  }

  @Test func `without preparation the command says what to do, and changes nothing`() async throws {
    try await TemporaryFolder.with { folder in
      let server = try await GatehouseServer.start(.init(), in: folder)
      defer { server.process.kill() }
      let finished = try await transfer(server, folder, ["finish"])
      #expect(finished.lines.last == "Done: 0 moved.")
      let wrong = try await transfer(server, folder, ["prepare", "--to", "short"])
      #expect(wrong.status != 0)
      #expect(wrong.errors.contains("a team id is ten characters"))
    }
  }

  private func transfer(
    _ server: GatehouseServer, _ folder: TemporaryFolder, _ arguments: [String]
  ) async throws -> Command {
    try await Command.run(
      ["apple", "transfer"] + arguments + [
        "--client-id", SimulatedProviders.bundleID, "--data", folder.path + "/data",
      ], environment: ["GATEHOUSE_PROVIDERS_BASE_URL": server.simulatorURL], in: folder)
  }

  /// A made-up P-256 key. The simulator accepts any key while none is registered.
  private static let key = """
    -----BEGIN PRIVATE KEY-----
    MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgdtPm9hC4XSpuWrwo
    ddBxWOSMKNCV7ltNxRiDaoBrrOqhRANCAAQoVSAknT97xb/xitfGYHihypn6jErb
    sBe/IEWhfbjdf1lVvjQC8vAVi9QYHMvGW5txDDBbVaUR1XZzmaYmmEE1
    -----END PRIVATE KEY-----

    """
}
