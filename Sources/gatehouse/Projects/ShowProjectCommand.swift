import ArgumentParser
import GatehouseServer
import GatehouseModel

struct ShowProjectCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show", abstract: "Show a project with its policies.")

  @Argument(help: "The project. It may be left out if there is only one.")
  var id: String?

  @OptionGroup var data: DataOptions

  func run() async throws {
    try await data.withDatabase { database in
      let id = try await ProjectOption.resolve(id, in: database)
      let (project, keys, apps) = try await database.store.read { transaction in
        (
          try transaction.project(id), try transaction.apiKeys(of: id),
          try transaction.apps(of: id)
        )
      }
      guard let project else { return }
      Terminal.say("\(project.id)")
      Terminal.say("  name       \(project.displayName ?? "-")")
      Terminal.say("  number     \(project.number)")
      Terminal.say("  issuer     \(project.issuer)")
      Terminal.say("  domains    \(project.authorizedDomains.joined(separator: " "))")
      Terminal.say("  API keys   \(keys.map(\.text).joined(separator: " "))")
      Terminal.say("  apps       \(apps.map(\.bundleID).joined(separator: " "))")
      Terminal.say(
        "Policies; change them with `gatehouse projects set \(project.id) name=value`:")
      for (name, value) in try PolicyDocument(project.policies).values {
        Terminal.say("  \(name)=\(value)")
      }
    }
  }
}
