import ArgumentParser
import GatehouseProtocol
import GatehouseServer

struct ProjectsCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "projects", abstract: "Create, change and delete projects.",
    discussion: "A running server applies a change within a second.",
    subcommands: [
      CreateProjectCommand.self, ListProjectsCommand.self, ShowProjectCommand.self,
      SetProjectCommand.self, DeleteProjectCommand.self,
    ])
}

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

  @Option(
    help: """
      A Firebase project whose users stay signed in: apps trade its ID tokens for sessions, until the \
      end of --until (UTC). An empty one: no longer.
      """)
  var firebaseProject: String?

  @Option(help: ArgumentHelp("The last day for --firebase-project.", valueName: "yyyy-mm-dd"))
  var until: String?

  @OptionGroup var data: DataOptions

  func validate() throws {
    if policies.isEmpty && displayName == nil && domain.isEmpty && firebaseProject == nil {
      throw ValidationError(
        "nothing to set: give name=value, --display-name, --domain or --firebase-project")
    }
    if (firebaseProject?.isEmpty == false) != (until != nil) {
      throw ValidationError("--firebase-project ID and --until DATE belong together")
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
        if let firebaseProject {
          project.policies.firebaseSessions.project = firebaseProject
          project.policies.firebaseSessions.until = until ?? ""
          if let fault = project.policies.fault { throw PolicyFault(fault) }
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
