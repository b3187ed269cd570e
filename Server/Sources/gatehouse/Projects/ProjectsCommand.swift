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
    commandName: "list", abstract: "List the projects.")

  @OptionGroup var administration: AdministrationOptions

  func run() async throws {
    try await administration.withClient { client in
      let answer = try await client.send(.get, ["v2", "projects"])
      client.say(answer) {
        var table = TextTable("PROJECT", "NAME", "ISSUER")
        for project in answer.objects("projects") {
          table.add(
            project.shown("projectId"), project.shown("displayName"), project.shown("issuer"))
        }
        table.say()
      }
    }
  }
}

struct ShowProjectCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show", abstract: "Show a project with its policies.")

  @Argument(help: "The project. It may be left out if there is only one.")
  var id: String?

  @OptionGroup var administration: AdministrationOptions

  func run() async throws {
    try await administration.withClient { client in
      let project = try await ProjectClient(id, client)
      let config = try await project.send(.get, "config")
      if client.printsJSON { return client.say(config) {} }
      let resource = try await project.send(.get)
      let keys = try await project.send(.get, "apiKeys").objects("apiKeys")
      let apps = try await project.send(.get, "iosApps").objects("apps")
      func line(_ name: String, _ values: [String]) {
        Terminal.say("  \(name)" + values.joined(separator: " "))
      }
      Terminal.say(project.project)
      line("name       ", [resource.shown("displayName")])
      line("number     ", [resource.shown("projectNumber")])
      line("issuer     ", [resource.shown("issuer")])
      line("domains    ", config.strings("authorizedDomains"))
      line("API keys   ", keys.map { $0.shown("keyString") })
      line("apps       ", apps.map { $0.shown("bundleId") })
      Terminal.say(
        "Policies; change them with `gatehouse projects set \(project.project) name=value`:")
      for (name, value) in PolicyDocument.values(of: config["policies"]?.object ?? [:]) {
        Terminal.say("  \(name)=\(value)")
      }
    }
  }
}

struct SetProjectCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "set", abstract: "Change a project's name, domains and policies.",
    discussion: """
      Policies are given as name=value; `gatehouse projects show` lists them. Either all of them are \
      changed, or none.
      """)

  @Argument(help: "The project.")
  var id: String

  @Argument(help: "Policies, such as allowsAnonymous=true.")
  var policies: [String] = []

  @Option(help: "Display name; an empty one is removed.")
  var displayName: String?

  @Option(help: "A host that sign-in may return to. May be repeated; replaces the former hosts.")
  var domain: [String] = []

  @Option(help: "A further host that sign-in may return to. May be repeated.")
  var addDomain: [String] = []

  @Option(help: "A host that sign-in may no longer return to. May be repeated.")
  var removeDomain: [String] = []

  @Option(
    help: """
      A Firebase project whose users stay signed in: apps trade its ID tokens for sessions, until the \
      end of --until (UTC). An empty one: no longer.
      """)
  var firebaseProject: String?

  @Option(help: ArgumentHelp("The last day for --firebase-project.", valueName: "yyyy-mm-dd"))
  var until: String?

  @OptionGroup var confirmation: ConfirmationOptions
  @OptionGroup var administration: AdministrationOptions

  private var domains: [String] { domain + addDomain + removeDomain }

  func validate() throws {
    if policies.isEmpty && displayName == nil && domains.isEmpty && firebaseProject == nil {
      throw ValidationError(
        "nothing to set: give name=value, --display-name, --domain or --firebase-project")
    }
    if !domain.isEmpty, !(addDomain + removeDomain).isEmpty {
      throw ValidationError("--domain replaces all hosts: give only that, or the two others")
    }
    if (firebaseProject?.isEmpty == false) != (until != nil) {
      throw ValidationError("--firebase-project ID and --until DATE belong together")
    }
    if let broken = domains.first(where: { AuthorizedDomain.normalized($0) == nil }) {
      throw ValidationError("--domain \(broken): a host's name alone, such as app.example.com")
    }
    if let broken = policies.first(where: { !$0.contains("=") }) {
      throw ValidationError("“\(broken)”: write it as name=value")
    }
  }

  func run() async throws {
    try await administration.withClient { client in
      let project = try await ProjectClient(id, client)
      var config = JSONObject()
      if !domains.isEmpty {
        config["authorizedDomains"] = .array(try await hosts(of: project).map { .string($0) })
      }
      if let changes = policyChanges { config["policies"] = .object(changes) }
      let mask = config.members.map(\.name).joined(separator: ",")
      let answer =
        config.members.isEmpty
        ? try await project.send(.get, "config")
        : try await project.send(.patch, "config", query: ["updateMask": mask], body: config)
      // After what may be refused.
      if let displayName {
        try await project.send(.patch, body: ["displayName": .string(displayName)])
      }
      client.say(answer) { Terminal.say("\(id): changed \(changed).") }
    }
  }

  private func hosts(of project: ProjectClient) async throws -> [String] {
    let known = try await project.send(.get, "config").strings("authorizedDomains")
    if !domain.isEmpty {
      let lost = known.filter { !domain.contains($0) }
      if !lost.isEmpty {
        try confirmation.confirm(
          "Replace all hosts of \(id)? \(lost.joined(separator: ", ")) would be removed.")
      }
      return domain
    }
    return known.filter { !removeDomain.contains($0) }
      + addDomain.filter { !known.contains($0) }
  }

  private var policyChanges: JSONObject? {
    var changes = JSONObject()
    for assignment in policies {
      let parts = assignment.split(
        separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      changes[String(parts[0])] = .string(parts.count > 1 ? String(parts[1]) : "")
    }
    if let firebaseProject {
      changes["firebaseSessions"] = [
        "project": .string(firebaseProject), "until": .string(until ?? ""),
      ]
    }
    return changes.members.isEmpty ? nil : changes
  }

  private var changed: String {
    var names = policies
    if displayName != nil { names.append("the name") }
    if !domains.isEmpty { names.append("the hosts") }
    if firebaseProject != nil { names.append("the Firebase project") }
    return names.joined(separator: ", ")
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

  @OptionGroup var confirmation: ConfirmationOptions
  @OptionGroup var administration: AdministrationOptions

  func run() async throws {
    try await administration.withClient { client in
      let project = try await ProjectClient(id, client)
      // A project that isn't there is told before anything is asked.
      try await project.send(.get, hint: "`gatehouse projects list` lists them")
      try confirmation.confirm("Delete the project \(id) and every account in it?")
      let answer = try await project.send(.delete)
      client.say(answer) { Terminal.say("\(id) is deleted.") }
    }
  }
}
