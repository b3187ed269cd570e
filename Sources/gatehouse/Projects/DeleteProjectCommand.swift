import ArgumentParser
import GatehouseServer
import GatehouseModel

struct DeleteProjectCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "delete", abstract: "Delete a project and every account in it.",
    discussion: """
      Only a backup can undo this: create one first with `gatehouse backup`. Nothing is revoked at \
      providers, and no user gets an email. If you need that, delete the accounts first, with \
      `gatehouse users delete`.
      """)

  @Argument(help: "The project.")
  var id: String

  @Option(help: "The project's id again, to confirm.")
  var confirm: String

  @OptionGroup var data: DataOptions

  func validate() throws {
    guard confirm.utf8.elementsEqual(id.utf8) else {
      throw ValidationError("--confirm \(confirm): to delete \(id), write --confirm \(id)")
    }
  }

  func run() async throws {
    try await data.withDatabase { database in
      let id = try await ProjectOption.resolve(id, in: database)
      try await database.store.write { try $0.deleteProject(id) }
      Terminal.say("\(id) is deleted.")
    }
  }
}
