import ArgumentParser
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

  @OptionGroup var project: ProjectOptions

  func run() async throws {
    try await project.run { project in
      let key = try await project.send(
        .post, "apiKeys", body: JSONObject(ifPresent: ["displayName": displayName]))
      project.say(key) { Terminal.say(key.shown("keyString")) }
    }
  }
}

struct ListAPIKeysCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List a project's keys.")

  @OptionGroup var project: ProjectOptions

  func run() async throws {
    try await project.run { project in
      let answer = try await project.send(.get, "apiKeys")
      project.say(answer) {
        var table = TextTable("API KEY", "APP", "NAME")
        for key in answer.objects("apiKeys") {
          table.add(key.shown("keyString"), key.shown("appId"), key.shown("displayName"))
        }
        table.say()
      }
    }
  }
}

struct DeleteAPIKeyCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "delete", abstract: "Delete a key. A running server rejects it within a second.")

  @Argument(help: "The key, gk_….")
  var key: String

  @OptionGroup var confirmation: ConfirmationOptions
  @OptionGroup var project: ProjectOptions

  func run() async throws {
    try await project.run { project in
      try confirmation.confirm("Delete the key \(key)? Requests with it are then refused.")
      let answer = try await project.send(
        .delete, "apiKeys", key, hint: "`gatehouse api-keys list` lists them")
      project.say(answer) { Terminal.say("Deleted the key \(key).") }
    }
  }
}
