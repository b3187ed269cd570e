import ArgumentParser
import GatehouseServer
import GatehouseModel

struct SetProjectCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "set", abstract: "Change a project's name, domains and policies.",
    discussion: """
      Policies are given as name=value; `gatehouse projects show` lists them. Either everything is \
      changed, or nothing.
      """)

  @Argument(help: "The project.")
  var id: String

  @Argument(help: "Policies, such as allowsAnonymous=true.")
  var policies: [String] = []

  @Option(help: "Display name; an empty one is removed.")
  var displayName: String?

  @Option(help: "A host that sign-in may return to. May be repeated; replaces the former hosts.")
  var domain: [String] = []

  @OptionGroup var data: DataOptions

  func validate() throws {
    if policies.isEmpty && displayName == nil && domain.isEmpty {
      throw ValidationError("nothing to set: give name=value, --display-name or --domain")
    }
    if let broken = domain.first(where: { AuthorizedDomain.normalized($0) == nil }) {
      throw ValidationError("--domain \(broken): a host's name alone, such as app.example.com")
    }
  }

  func run() async throws {
    try await data.withDatabase { database in
      let id = try await ProjectOption.resolve(id, in: database)
      try await database.store.write { [self] transaction in
        guard var project = try transaction.project(id) else { return }
        for assignment in policies {
          project.policies = try PolicyDocument(project.policies).assign(assignment)
        }
        if let displayName { project.displayName = displayName.isEmpty ? nil : displayName }
        if !domain.isEmpty {
          project.authorizedDomains = domain.compactMap(AuthorizedDomain.normalized)
        }
        try transaction.save(project)
      }
      Terminal.say("\(id) is changed.")
    }
  }
}
