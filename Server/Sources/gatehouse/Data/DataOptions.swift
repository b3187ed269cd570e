import ArgumentParser
import GatehouseServer
import GatehouseProtocol

/// Flags of every command that opens the database directly.
struct DataOptions: ParsableArguments {
  @Option(help: Settings.data.help)
  var data: String?

  @Option(help: Settings.database.help)
  var database: String?

  @Option(help: Settings.masterKeyFile.help)
  var masterKeyFile: String?

  /// Whether no flag is given.
  var isEmpty: Bool { data == nil && database == nil && masterKeyFile == nil }

  private var reader: SettingReader {
    SettingReader(
      flags: [
        Settings.data.key: data, Settings.database.key: database,
        Settings.masterKeyFile.key: masterKeyFile,
      ])
  }

  func place() throws -> DataPlace {
    try RemoteVariables.refuseServer()
    var reader = reader
    var place = reader.dataPlace()
    guard reader.faults.isEmpty else { throw ConfigurationFaults(faults: reader.faults) }
    // No client waits for a command. A command that deletes a large project takes minutes.
    place.engine = place.engine.forCommand()
    return place
  }

  /// Opens the database, runs `body`, and closes the database, also if `body` throws. The tables of
  /// an existing database are not migrated: if they lack migrations, throws.
  ///
  /// - Parameters:
  ///   - mode: The mode of a new database if there is none. If nil, a missing database is an error.
  ///   - isLeavingVault: Whether the vault is encrypted under the master key again.
  func withDatabase<Result: Sendable>(
    making mode: OpenDatabase.Mode? = nil, isLeavingVault: Bool = false,
    _ body: (OpenDatabase) async throws -> Result
  ) async throws -> Result {
    var place = try place()
    place.masterKey.isLeavingVault = isLeavingVault
    let database = try await OpenDatabase.open(
      place, requiring: nil, making: mode, migrating: false)
    let result: Result
    do {
      result = try await body(database)
    } catch {
      await database.store.close()
      throw error
    }
    await database.store.close()
    return result
  }
}

/// The flag that names a project.
struct ProjectOption: ParsableArguments {
  @Option(help: "The project. Required if the server has more than one.")
  var project: String?

  /// The project named, or the only one there is.
  func resolve(in database: OpenDatabase) async throws -> ProjectID {
    try await Self.resolve(project, in: database)
  }

  /// The project of this name; without a name, the only one there is.
  static func resolve(_ project: String?, in database: OpenDatabase) async throws -> ProjectID {
    let known = try await database.store.read { try $0.projects() }.map(\.id).filter {
      !$0.isConsole
    }
    if let project {
      guard let id = ProjectID(project), known.contains(id) else {
        throw CommandFailure(
          "there is no project “\(project)”; the projects are: \(list(known)). Create one with "
            + "`gatehouse projects create \(project)`")
      }
      return id
    }
    guard known.count == 1 else {
      throw CommandFailure(
        known.isEmpty
          ? "there is no project yet; create one with `gatehouse projects create ID`"
          : "name the project with --project: \(list(known))")
    }
    return known[0]
  }

  private static func list(_ projects: [ProjectID]) -> String {
    projects.isEmpty ? "none" : projects.map(\.text).joined(separator: ", ")
  }
}
