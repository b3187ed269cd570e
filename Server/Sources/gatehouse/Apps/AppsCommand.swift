import ArgumentParser
import GatehouseServer
import GatehouseProtocol

struct AppsCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "apps", abstract: "A project's apps on Apple's platforms, and on Android.",
    subcommands: [
      AddAppCommand.self, ListAppsCommand.self, ShowAppCommand.self, SetAppCommand.self,
      DeleteAppCommand.self, AndroidAppsCommand.self,
    ])
}

struct ListAppsCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List a project's apps.")

  @OptionGroup var project: ProjectOption
  @OptionGroup var data: DataOptions

  func run() async throws {
    try await data.withDatabase { database in
      let project = try await project.resolve(in: database)
      let apps = try await database.store.read { try $0.apps(of: project) }
      var table = TextTable("BUNDLE ID", "TEAM", "APP ID", "API KEY", "NAME")
      for app in apps {
        table.add(
          app.bundleID, app.teamID ?? "-", app.id, app.apiKey, app.displayName ?? "-")
      }
      table.say()
    }
  }
}

struct ShowAppCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show", abstract: "Write an app's GoogleService-Info.plist again.")

  @Argument(help: "The app's id or bundle id, as `list` shows them.")
  var app: String

  @OptionGroup var file: ServiceInfoOptions
  @OptionGroup var project: ProjectOption
  @OptionGroup var data: DataOptions

  func run() async throws {
    try await data.withDatabase { database in
      let project = try await project.resolve(in: database)
      let app = try await App.named(app, of: project, in: database)
      try await file.write(app, in: database)
    }
  }
}

struct DeleteAppCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "delete", abstract: "Delete an app and its API key.",
    discussion: """
      Accounts are kept. From then on the server rejects the requests of builds that are installed \
      already.
      """)

  @Argument(help: "The app's id or bundle id, as `list` shows them.")
  var app: String

  @OptionGroup var project: ProjectOption
  @OptionGroup var data: DataOptions

  func run() async throws {
    try await data.withDatabase { database in
      let project = try await project.resolve(in: database)
      let app = try await App.named(app, of: project, in: database)
      _ = try await Apps(store: database.store).delete(app.id)
      Terminal.say("Deleted. Its bundle id may still be one of apple.com's client ids.")
    }
  }
}

extension App {
  /// The project's app with this id or bundle id.
  static func named(
    _ name: String, of project: ProjectID, in database: OpenDatabase
  ) async throws -> App {
    let apps = try await database.store.read { try $0.apps(of: project) }
    let app = apps.first { $0.id.hasSameBytes(as: name) || $0.bundleID.hasSameBytes(as: name) }
    guard let app else {
      throw CommandFailure("\(project) has no app “\(name)”; `gatehouse apps list` lists them")
    }
    return app
  }
}
