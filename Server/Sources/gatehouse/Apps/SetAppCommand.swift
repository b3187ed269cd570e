import ArgumentParser
import GatehouseServer
import GatehouseProtocol

struct SetAppCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "set", abstract: "Set the team of an app.",
    discussion: """
      With a team id, the server tells Apple's devices that its links open the app: see \
      docs/guides/app-links.md. Without one, a server with one project uses apple.com's team id.
      """)

  @Argument(help: "The app's id or bundle id, as `list` shows them.")
  var app: String

  @Option(help: "The team id, ten characters, from Apple's membership page; - removes it.")
  var teamID: String

  @OptionGroup var project: ProjectOption
  @OptionGroup var data: DataOptions

  func validate() throws {
    if teamID != "-" { try Self.check(teamID: teamID) }
  }

  func run() async throws {
    try await data.withDatabase { database in
      let project = try await project.resolve(in: database)
      let app = try await App.named(app, of: project, in: database)
      _ = try await Apps(store: database.store)
        .setTeam(teamID == "-" ? nil : teamID, ofApp: app.id)
      Terminal.say(
        teamID == "-"
          ? "\(app.bundleID) has no team id of its own."
          : "\(app.bundleID) has the team id \(teamID).")
    }
  }

  static func check(teamID: String?) throws {
    guard let teamID, !App.isTeamID(teamID) else { return }
    throw ValidationError("--team-id \(teamID): a team id is ten capital letters and digits")
  }
}
