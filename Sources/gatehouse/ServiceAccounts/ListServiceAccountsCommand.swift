import ArgumentParser
import Foundation
import GatehouseServer
import GatehouseModel

struct ListServiceAccountsCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List a project's service accounts, with their roles.")

  @OptionGroup var project: ProjectOption
  @OptionGroup var data: DataOptions

  func run() async throws {
    try await data.withDatabase { database in
      let project = try await project.resolve(in: database)
      var table = TextTable("EMAIL", "ROLES", "KEYS", "CREATED")
      for account in try await ServiceAccounts(store: database.store).list(in: project) {
        table.add(
          account.email.text, account.roleNames, String(account.keys.count),
          account.createdAt.formatted(.iso8601))
      }
      table.say()
    }
  }
}
