import ArgumentParser
import GatehouseAccounts
import GatehouseModel

struct SetAppCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "set", abstract: "Say which team an app is of.",
    discussion: """
      With the team, Apple's devices are told that the server's links open the app: see \
      docs/guides/app-links.md. Without, the team of apple.com counts on a server with one project.
      """)

  @Argument(help: "The app's id or bundle id, as `list` shows them.")
  var app: String

  @Option(help: "The team's id, ten characters, from Apple's membership page; - for none.")
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
          ? "\(app.bundleID) is of no team of its own."
          : "\(app.bundleID) is of team \(teamID).")
    }
  }

  static func check(teamID: String?) throws {
    guard let teamID, !App.isTeamID(teamID) else { return }
    throw ValidationError("--team-id \(teamID): Apple's are ten capital letters and digits")
  }
}
