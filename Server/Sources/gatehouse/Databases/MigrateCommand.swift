import ArgumentParser

struct MigrateCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "migrate", abstract: "Bring the database's tables up to this version.",
    discussion: """
      A server does the same when it starts. No other command migrates an existing database, except \
      copy. Run the command separately if the servers' own database user may not change tables, or \
      before the first server of a new version. On PostgreSQL, servers of the previous version can \
      continue to run, unless the release notes say otherwise. On SQLite, stop them first. The command \
      needs no master key. It has no --server: run it on a machine that reaches the database.
      """)

  @Option(help: Settings.data.help)
  var data: String?

  @Option(help: Settings.database.help)
  var database: String?

  @Flag(help: "Change nothing. The exit status is 1 if migrations are missing.")
  var check = false

  func run() async throws {
    var reader = SettingReader(
      flags: [Settings.data.key: data, Settings.database.key: database])
    try RemoteVariables.refuseServer()
    let place = reader.dataPlace()
    guard reader.faults.isEmpty else { throw ConfigurationFaults(faults: reader.faults) }
    if check {
      guard let missing = try place.engine.missingSteps() else {
        throw place.engine.fault(of: try place.engine.state())
          ?? CommandFailure("there is no database \(place.name)")
      }
      Terminal.say(
        missing == 0 ? "The tables are up to date." : "\(missing) migrations are missing.")
      if missing > 0 { throw ExitCode.failure }
      return
    }
    try place.refuseToMigrateWhileServing()
    let steps = try place.engine.migrate()
    for step in steps { Terminal.say("Applied \(step).") }
    Terminal.say(steps.isEmpty ? "The tables were up to date." : "The tables are up to date.")
  }
}
