import ArgumentParser
import Foundation
import GatehouseProtocol
import GatehouseServer

struct AdminKeysCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "admin-keys",
    abstract: "Keys with which administrators and their scripts call the API.",
    discussion: """
      Roles, each with the rights of those before it: viewer (sees accounts and settings), support \
      (changes accounts), administrator (changes settings, sees secrets), owner (makes administrators).
      """,
    subcommands: [
      CreateAdminKeyCommand.self, ListAdminKeysCommand.self, DeleteAdminKeyCommand.self,
    ])
}

/// Whose keys: those of the server, or those of one project.
struct AdminKeyPlace: ParsableArguments {
  @Option(help: "The keys of one project. Required if the key of --server is one of a project.")
  var project: String?

  @OptionGroup var administration: AdministrationOptions

  var path: [String] {
    project.map { ["v2", "projects", $0, "adminKeys"] } ?? ["v2", "server", "adminKeys"]
  }
}

struct CreateAdminKeyCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "create", abstract: "Create a key and show it. It is shown only once.")

  @Flag(help: "Create a key for every project.")
  var all = false

  @Option(help: "viewer, support, administrator or owner.")
  var role: AdministratorRole = .administrator

  @Option(help: "The days until the key expires, 1 to 3650. Default: it never expires.")
  var expiresInDays: Int?

  @OptionGroup var project: ProjectOptions

  func validate() throws {
    if all && project.project != nil {
      throw ValidationError("give either --project or --all")
    }
    if let expiresInDays, !(1...3650).contains(expiresInDays) {
      throw ValidationError("--expires-in-days \(expiresInDays): from 1 to 3650")
    }
  }

  func run() async throws {
    let expiry = expiresInDays.map {
      Date().addingTimeInterval(Double($0) * 86_400).formatted(.iso8601)
    }
    // The owner of a new server may do everything else over HTTP.
    try await project.administration.withClient(making: all ? .production : nil) { client in
      let scope = all ? nil : try await ProjectClient(project.project, client).project
      let path = scope.map { ["v2", "projects", $0] } ?? ["v2", "server"]
      let key = try await client.send(
        .post, path + ["adminKeys"],
        JSONObject(ifPresent: ["role": role.rawValue, "expireTime": expiry]))
      client.say(key) {
        Terminal.say(key.shown("key"))
        Terminal.note(
          "The key has the role \(role.rawValue) in \(scope.map { "project \($0)" } ?? "every project"). It "
            + "is shown only once; delete it with `gatehouse admin-keys delete \(key.shown("prefix"))`."
        )
      }
    }
  }
}

extension AdministratorRole: ExpressibleByArgument {}

struct ListAdminKeysCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List administrators' keys by their first characters.")

  @OptionGroup var place: AdminKeyPlace

  func run() async throws {
    try await place.administration.withClient { client in
      let answer = try await client.send(.get, place.path)
      client.say(answer) {
        var table = TextTable("KEY", "PROJECT", "ROLE", "CREATED", "EXPIRES")
        for key in answer.objects("adminKeys") {
          table.add(
            key.shown("prefix") + "…", key["project"]?.string ?? "(all)", key.shown("role"),
            key.shown("createTime"), key["expireTime"]?.string ?? "never")
        }
        table.say()
      }
    }
  }
}

struct DeleteAdminKeyCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "delete", abstract: "Delete a key. A running server rejects it within a second.")

  @Argument(help: "The key's first characters, all those that `list` shows.")
  var prefix: String

  @OptionGroup var confirmation: ConfirmationOptions
  @OptionGroup var place: AdminKeyPlace

  func run() async throws {
    try await place.administration.withClient { client in
      try confirmation.confirm("Delete the key \(prefix)…? Requests with it are then refused.")
      let answer = try await client.send(
        .delete, place.path + [prefix], hint: "`gatehouse admin-keys list` lists them")
      client.say(answer) { Terminal.say("Deleted the key \(prefix)….") }
      if !client.printsJSON { try await client.sayWhatIsLeft(by: prefix) }
    }
  }
}
