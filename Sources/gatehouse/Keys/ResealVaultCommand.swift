import ArgumentParser
import GatehouseAccounts
import GatehouseOperation

struct ResealVaultCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "reseal-vault",
    abstract: "Encrypt providers' tokens again, under the vault's present key.",
    discussion: """
      The vault has a key of its own if the setting vault.keyCommand names a command that prints it. \
      To change that key, let the command print the old and the new one, in this order, and restart \
      the servers. Then let it print the new one first, restart them again, and run this command. \
      Afterwards the old key isn't needed any more, except for backups. To give the key up, run this \
      command with --under-master-key while no server runs, and remove the setting.
      """)

  @Flag(help: "Encrypt under the master key. Stop the servers first.")
  var underMasterKey = false

  @OptionGroup var data: DataOptions

  func run() async throws {
    if underMasterKey, let other = ServingMark.running(in: data.folder).first {
      throw CommandFailure(
        "a server runs on \(data.folder) (process \(other.process)): stop it first, because it would "
          + "go on to encrypt under the vault's own key")
    }
    try await data.withDatabase(isLeavingVault: underMasterKey) { database in
      guard database.vaultKeys != nil else {
        throw CommandFailure(
          "the vault has no key of its own: set \(Settings.vaultKeyCommand.key) "
            + "(\(Settings.vaultKeyCommand.environmentName))")
      }
      let count = try await VaultKeys.reseal(in: database.store)
      if underMasterKey { try await database.store.write { try VaultKeys.clear($0) } }
      Terminal.say("\(count) \(count == 1 ? "value is" : "values are") encrypted again.")
    }
  }
}
