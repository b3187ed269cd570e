import ArgumentParser
import GatehouseServer

struct ResealVaultCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "reseal-vault",
    abstract: "Encrypt providers' tokens again, under the vault's present key.",
    discussion: """
      The vault has a key of its own if the setting vault.keyCommand names a command that prints it. \
      To change that key, stop the servers, let the command print the new one and then the old one, and \
      run this command. Afterwards the old key isn't needed any more, except for backups. To stop \
      using a key of its own, stop the servers, run this command with --under-master-key, and remove \
      the setting. The command has no --server: run it on the server's machine.
      """)

  @Flag(help: "Encrypt under the master key.")
  var underMasterKey = false

  @OptionGroup var data: DataOptions

  func run() async throws {
    try data.place().refuseWhileServing(
      ", because it would continue to use its present keys")
    try await data.withDatabase(isLeavingVault: underMasterKey) { database in
      guard database.vaultKeys != nil else {
        throw CommandFailure(
          "the vault has no key of its own: set \(Settings.vaultKeyCommand.key) "
            + "(\(Settings.vaultKeyCommand.environmentName))")
      }
      let count = try await VaultKeys.reseal(in: database.store)
      try await database.store.write { [underMasterKey] transaction in
        if underMasterKey { try VaultKeys.clear(transaction) }
        try VaultKeys.forgetFormer(transaction)
      }
      Terminal.say("\(count) \(count == 1 ? "value is" : "values are") encrypted again.")
    }
  }
}
