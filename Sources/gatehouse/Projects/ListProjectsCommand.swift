import ArgumentParser
import GatehouseServer
import GatehouseModel

struct ListProjectsCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List projects with their API keys.")

  @OptionGroup var data: DataOptions

  func run() async throws {
    try await data.withDatabase { database in
      let projects = try await database.store.read { transaction in
        try transaction.projects().map { ($0, try transaction.apiKeys(of: $0.id)) }
      }
      var table = TextTable("PROJECT", "API KEYS", "ISSUER")
      for (project, keys) in projects {
        table.add(
          project.id.text, keys.map(\.text).joined(separator: ","), project.issuer)
      }
      table.say()
    }
  }
}
