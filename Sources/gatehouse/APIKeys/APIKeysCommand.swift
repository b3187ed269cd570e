import ArgumentParser
import GatehouseAccounts
import GatehouseModel

struct APIKeysCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "api-keys", abstract: "Keys that name a project in a client's request.",
    discussion:
      "They are no secret, and prove nothing. An app gets its own with `gatehouse apps add`.",
    subcommands: [
      CreateAPIKeyCommand.self, ListAPIKeysCommand.self, DeleteAPIKeyCommand.self,
    ])
}

struct CreateAPIKeyCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "create", abstract: "Make a key and show it.")

  @Option(help: "What it is for.")
  var displayName: String?

  @OptionGroup var project: ProjectOption
  @OptionGroup var data: DataOptions

  func run() async throws {
    try await data.withDatabase { database in
      let project = try await project.resolve(in: database)
      let key = try await Apps(store: database.store)
        .createKey(for: project, displayName: displayName)
      Terminal.say(key.text)
    }
  }
}

struct ListAPIKeysCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List a project's keys.")

  @OptionGroup var project: ProjectOption
  @OptionGroup var data: DataOptions

  func run() async throws {
    try await data.withDatabase { database in
      let project = try await project.resolve(in: database)
      let (keys, apps) = try await database.store.read { transaction in
        (try transaction.apiKeys(of: project), try transaction.apps(of: project))
      }
      var table = TextTable("API KEY", "APP", "NAME")
      for key in keys {
        let app = apps.first { $0.apiKey.hasSameBytes(as: key.text) }
        table.add(key.text, app?.bundleID ?? "-", key.displayName ?? "-")
      }
      table.say()
    }
  }
}

struct DeleteAPIKeyCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "delete", abstract: "End a key. A running server refuses it within a second.")

  @Argument(help: "The key, gk_….")
  var key: String

  @OptionGroup var project: ProjectOption
  @OptionGroup var data: DataOptions

  func run() async throws {
    try await data.withDatabase { database in
      let project = try await project.resolve(in: database)
      do {
        guard try await Apps(store: database.store).deleteKey(key, of: project) else {
          throw CommandFailure(
            "\(project) has no key “\(key)”; `gatehouse api-keys list` shows them")
        }
      } catch Apps.Refusal.keyOfApp(let appID) {
        throw CommandFailure(
          "the key is the app \(appID)'s; end both with `gatehouse apps delete \(appID)`")
      }
      Terminal.say("Deleted.")
    }
  }
}
