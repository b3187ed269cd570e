import ArgumentParser
import GatehouseProtocol
import GatehouseServer

struct AppsCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "apps", abstract: "A project's apps on Apple's platforms, and on Android.",
    subcommands: [
      AddAppCommand.self, ListAppsCommand.self, ShowAppCommand.self, SetAppCommand.self,
      DeleteAppCommand.self, AndroidAppsCommand.self,
    ])

  static let hint = "`gatehouse apps list` lists them"
}

struct AddAppCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "add",
    abstract: "Add an app: create its API key and its GoogleService-Info.plist.")

  @Option(help: "The app's bundle id: com.example.app")
  var bundleID: String

  @Option(help: "Display name.")
  var name: String?

  @Option(help: "Apple's team id, ten characters, for universal links.")
  var teamID: String?

  @Flag(help: "Enable Sign in with Apple. Its tokens are accepted for every registered app.")
  var apple = false

  @OptionGroup var file: ServiceInfoOptions
  @OptionGroup var project: ProjectOptions

  func validate() throws {
    guard App.isBundleID(bundleID) else {
      throw ValidationError(
        "--bundle-id \(bundleID): letters, digits, - and dots, such as com.example.app")
    }
    try SetAppCommand.check(teamID: teamID)
  }

  func run() async throws {
    try await project.run { project in
      try file.checkTarget()
      let app = try await project.send(
        .post, "iosApps",
        body: JSONObject(
          ifPresent: ["bundleId": bundleID, "displayName": name, "teamId": teamID]))
      if apple { try await project.enableApple() }
      try await file.write(app, of: project)
    }
  }
}

struct ListAppsCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List a project's apps.")

  @OptionGroup var project: ProjectOptions

  func run() async throws {
    try await project.run { project in
      let answer = try await project.send(.get, "iosApps")
      project.say(answer) {
        var table = TextTable("BUNDLE ID", "TEAM", "APP ID", "API KEY", "NAME")
        for app in answer.objects("apps") {
          table.add(
            app.shown("bundleId"), app.shown("teamId"), app.shown("appId"), app.shown("apiKey"),
            app.shown("displayName"))
        }
        table.say()
      }
    }
  }
}

struct ShowAppCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show", abstract: "Write an app's GoogleService-Info.plist again.",
    discussion: "Writes it into the current folder. `--output -` prints it instead.")

  @Argument(help: "The app's id or bundle id, as `list` shows them.")
  var app: String

  @OptionGroup var file: ServiceInfoOptions
  @OptionGroup var project: ProjectOptions

  func run() async throws {
    try await project.run { project in
      let found = try await project.send(.get, "iosApps", app, hint: AppsCommand.hint)
      try await file.write(found, of: project)
    }
  }
}

struct SetAppCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "set", abstract: "Change the team or the name of an app.",
    discussion: """
      With a team id, the server tells Apple's devices that its links open the app: see \
      docs/guides/app-links.md. Without one, a server with one project uses apple.com's team id.
      """)

  @Argument(help: "The app's id or bundle id, as `list` shows them.")
  var app: String

  @Option(help: "The team id, ten characters, from Apple's membership page; - removes it.")
  var teamID: String?

  @Option(help: "Display name; - removes it.")
  var name: String?

  @OptionGroup var project: ProjectOptions

  func validate() throws {
    if teamID == nil && name == nil { throw ValidationError("give --team-id or --name") }
    if teamID != "-" { try Self.check(teamID: teamID) }
  }

  static func check(teamID: String?) throws {
    guard let teamID, !App.isTeamID(teamID) else { return }
    throw ValidationError("--team-id \(teamID): a team id is ten capital letters and digits")
  }

  func run() async throws {
    try await project.run { project in
      let changed = try await project.send(
        .patch, "iosApps", app,
        body: JSONObject(ifPresent: [
          "teamId": teamID == "-" ? "" : teamID, "displayName": name == "-" ? "" : name,
        ]), hint: AppsCommand.hint)
      project.say(changed) {
        Terminal.say(
          "\(changed.shown("bundleId")): team \(changed.shown("teamId")), name "
            + changed.shown("displayName"))
      }
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

  @OptionGroup var confirmation: ConfirmationOptions
  @OptionGroup var project: ProjectOptions

  func run() async throws {
    try await project.run { project in
      try confirmation.confirm("Delete \(app)? Requests of its builds are then refused.")
      let answer = try await project.send(.delete, "iosApps", app, hint: AppsCommand.hint)
      project.say(answer) {
        Terminal.say("Deleted \(app). Its bundle id may still be one of apple.com's client ids.")
      }
    }
  }
}

extension ProjectClient {
  /// A registered app is an audience of Apple's tokens anyway, so Sign in with Apple needs no more.
  fileprivate func enableApple() async throws {
    let place = ["defaultSupportedIdpConfigs", ProviderID.apple.text]
    do {
      try await send(.patch, place[0], place[1], body: ["enabled": true])
    } catch let refusal as AdministrationRefusal where refusal.isMissingConfiguration {
      try await send(
        .post, place[0], query: ["idpId": place[1]], body: ["enabled": true])
    }
  }
}
