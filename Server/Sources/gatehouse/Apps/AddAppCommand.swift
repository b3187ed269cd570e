import ArgumentParser
import Foundation
import GatehouseServer
import GatehouseProtocol

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
  @OptionGroup var project: ProjectOption
  @OptionGroup var data: DataOptions

  func validate() throws {
    guard App.isBundleID(bundleID) else {
      throw ValidationError(
        "--bundle-id \(bundleID): letters, digits, - and dots, such as com.example.app")
    }
    try SetAppCommand.check(teamID: teamID)
  }

  func run() async throws {
    try await data.withDatabase { database in
      let project = try await project.resolve(in: database)
      try file.checkTarget()
      let app: App
      do {
        app = try await Apps(store: database.store)
          .add(
            bundleID: bundleID, displayName: name, teamID: teamID, to: project, now: Date())
      } catch Apps.Refusal.taken(let appID) {
        throw CommandFailure(
          "\(project) already has \(bundleID): \(appID). `gatehouse apps show \(appID)` writes its "
            + "file again")
      }
      if apple { try await addToApple(project, database) }
      try await file.write(app, in: database)
    }
  }

  private func addToApple(_ project: ProjectID, _ database: OpenDatabase) async throws {
    // A registered app is an audience of Apple's tokens anyway.
    try await database.changeProvider(.apple, of: project) { apple, _ in apple.isEnabled = true }
  }
}
