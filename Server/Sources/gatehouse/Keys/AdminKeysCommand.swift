import ArgumentParser
import Foundation
import GatehouseServer
import GatehouseProtocol

struct AdminKeysCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "admin-keys", abstract: "Keys with which scripts act as administrators.",
    subcommands: [
      CreateAdminKeyCommand.self, ListAdminKeysCommand.self, DeleteAdminKeyCommand.self,
    ])
}

struct CreateAdminKeyCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "create", abstract: "Create a key and show it. It is shown only once.")

  @OptionGroup var project: ProjectOption

  @Flag(help: "Create a key for every project.")
  var all = false

  @Option(help: "admin, or viewer, which can see accounts and settings but change nothing.")
  var role: AdministratorRole = .admin

  @Option(help: "The days until the key expires, 1 to 3650. Default: it never expires.")
  var expiresInDays: Int?

  @OptionGroup var data: DataOptions

  func validate() throws {
    if all && project.project != nil {
      throw ValidationError("give either --project or --all")
    }
    if let expiresInDays, !(1...3650).contains(expiresInDays) {
      throw ValidationError("--expires-in-days \(expiresInDays): from 1 to 3650")
    }
  }

  func run() async throws {
    try await data.withDatabase { database in
      let scope = all ? nil : try await project.resolve(in: database)
      let now = Date()
      let (key, record) = try await AdminKeys(store: database.store).create(
        for: scope, role: role,
        expiresAt: expiresInDays.map { now.addingTimeInterval(Double($0) * 86_400) }, now: now)
      Terminal.say(key.reveal())
      Terminal.note(
        "The key of \(role == .admin ? "an administrator" : "a viewer") of "
          + "\(scope.map { "project \($0)" } ?? "every project"). The key is shown only once; delete "
          + "it with `gatehouse admin-keys delete \(record.prefix)`.")
    }
  }
}

extension AdministratorRole: ExpressibleByArgument {}

struct ListAdminKeysCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List administrators' keys by their first characters.")

  @OptionGroup var data: DataOptions

  func run() async throws {
    try await data.withDatabase { database in
      var table = TextTable("KEY", "PROJECT", "ROLE", "CREATED", "EXPIRES")
      for key in try await AdminKeys(store: database.store).list() {
        table.add(
          key.prefix + "…", key.project?.text ?? "(all)", key.role.rawValue,
          key.createdAt.formatted(.iso8601), key.expiresAt?.formatted(.iso8601) ?? "never")
      }
      table.say()
    }
  }
}

struct DeleteAdminKeyCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "delete", abstract: "Delete a key. A running server rejects it within a second.")

  @Argument(help: "The key's first characters, all those that `list` shows.")
  var prefix: String

  @OptionGroup var data: DataOptions

  func run() async throws {
    try await data.withDatabase { database in
      guard try await AdminKeys(store: database.store).delete(prefix: prefix) else {
        throw CommandFailure(
          "there is no key “\(prefix)”; `gatehouse admin-keys list` lists the keys")
      }
      Terminal.say("Deleted.")
      try await DeleteServiceAccountCommand.sayWhatIsLeft(by: prefix, in: database)
    }
  }
}
