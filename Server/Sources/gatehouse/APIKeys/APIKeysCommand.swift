import ArgumentParser
import GatehouseServer
import GatehouseProtocol

struct APIKeysCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "api-keys", abstract: "Keys that identify a project in a client's request.",
    discussion: """
      An API key is not secret and does not authenticate the client. `gatehouse apps add` creates \
      an app's own key.
      """,
    subcommands: [
      CreateAPIKeyCommand.self, ListAPIKeysCommand.self, DeleteAPIKeyCommand.self,
    ])
}

struct CreateAPIKeyCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "create", abstract: "Create a key and show it.")

  @Option(help: "What the key is for.")
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
    commandName: "delete", abstract: "Delete a key. A running server rejects it within a second.")

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
            "\(project) has no key “\(key)”; `gatehouse api-keys list` lists its keys")
        }
      } catch Apps.Refusal.keyOfApp(let appID) {
        throw CommandFailure(
          "the key belongs to the app \(appID); `gatehouse apps delete \(appID)` deletes both")
      }
      Terminal.say("Deleted.")
    }
  }
}
