import Foundation
import Testing

/// A vault that has its own key, with the operator's commands.
@Suite struct VaultKeyTests {
  private func key(_ folder: TemporaryFolder) async throws -> String {
    try #require(try await Command.run(["keys", "new-master"], in: folder).lines.first)
  }

  private func run(
    _ arguments: [String], command: String?, _ production: Production
  ) async throws -> Command {
    var environment = ["GATEHOUSE_MASTER_KEY": production.masterKey]
    environment["GATEHOUSE_VAULT_KEY_COMMAND"] = command
    return try await Command.run(
      arguments + ["--data", production.folder.path + "/data"], environment: environment,
      in: production.folder)
  }

  @Test func `the key can be introduced, changed and given up`() async throws {
    try await TemporaryFolder.with { folder in
      let production = try await Production.make(in: folder)
      let (first, second) = (try await key(folder), try await key(folder))
      let list = ["outbox", "list"]
      #expect(try await run(list, command: "echo \(first)", production).status == 0)

      let without = try await run(list, command: nil, production)
      #expect(without.status != 0)
      #expect(without.errors.contains("vault.keyCommand (GATEHOUSE_VAULT_KEY_COMMAND)"))
      let other = try await run(list, command: "echo \(second)", production)
      #expect(other.status != 0)
      #expect(other.errors.contains("prints another key than the one"))

      let both = "echo \(second) \(first)"
      let resealed = try await run(["keys", "reseal-vault"], command: both, production)
      #expect(resealed.output == "0 values are encrypted again.\n", "\(resealed.errors)")
      #expect(try await run(list, command: "echo \(second)", production).status == 0)

      let left = try await run(
        ["keys", "reseal-vault", "--under-master-key"], command: "echo \(second)", production)
      #expect(left.status == 0, "\(left.errors)")
      #expect(try await run(list, command: nil, production).status == 0)
    }
  }

  @Test(
    arguments: [
      ("exit 3", "failed with status 3"), ("echo short", "prints no key"),
      ("true", "prints no key"), ("yes", "prints no key"),
    ])
  func `a command that prints no key is an error, and nothing is changed`(
    _ command: String, _ message: String
  ) async throws {
    try await TemporaryFolder.with { folder in
      let production = try await Production.make(in: folder)
      let refused = try await run(["outbox", "list"], command: command, production)
      #expect(refused.status != 0)
      #expect(refused.errors.contains("vault.keyCommand \(message)"), "\(refused.errors)")
      #expect(try await run(["outbox", "list"], command: nil, production).status == 0)
    }
  }
}
