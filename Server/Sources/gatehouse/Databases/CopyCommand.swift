import ArgumentParser
import Foundation
import GatehouseServer

struct CopyCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "copy", abstract: "Copy the database from SQLite to PostgreSQL, or back.",
    discussion: """
      Stop the servers first. The command blocks writes to the source while it runs. The target must \
      be empty. All data is copied unchanged, and stays encrypted under the same master key. At the \
      end the command compares the target with the source. Until then no server opens the target. If \
      the command is interrupted, run it again to continue. The source isn't changed, except that its \
      tables are brought up to date. The command has no --server: run it on a machine that reaches both \
      databases.
      """)

  @Option(help: "The source: a data folder, or postgres://user@host:5432/name.")
  var from: String

  @Option(help: "The target: a data folder, or postgres://user@host:5432/name.")
  var to: String

  func run() async throws {
    let source = try Self.place(from, "--from")
    let target = try Self.place(to, "--to")
    guard from != to else { throw CommandFailure("--from and --to are the same database") }
    try source.engine.refuseUnlessComplete()
    for place in [source, target] { try place.refuseWhileServing(". Nothing was copied") }
    try target.engine.prepare()
    var progress = Progress()
    do {
      let summary = try source.engine.withCopyEnd { from in
        try target.engine.withCopyEnd { to in
          try DatabaseCopy(from: from, named: source.name, to: to).run(
            { stage, done, all in
              progress.show(done) { perSecond in
                "\(stage == .copying ? "Copied" : "Compared") \(done) of \(all) rows, \(perSecond)/s"
              }
            },
            finalCheck: {
              for place in [source, target] {
                try place.refuseWhileServing(", and run this command again")
              }
            })
        }
      }
      progress.clear()
      Terminal.say(
        "Copied \(summary.rows) rows of \(summary.tables) tables, and compared each of them. Start the "
          + "servers with \(target.flag) and the same master key.")
    } catch {
      progress.clear()
      switch error {
      case let fault as DatabaseCopyFault: throw Self.failure(fault, source, target)
      case StoreError.unavailable, StoreError.uncertain, StoreError.closed:
        throw CommandFailure(
          "the copy was interrupted: \(error). The source is unchanged, and no server opens the target. "
            + "When the fault is mended, run the same command again: it continues")
      default: throw error
      }
    }
  }

  private static func place(_ text: String, _ flag: String) throws -> DataPlace {
    DataPlace(
      folder: "", engine: try DatabaseEngines.named(text, by: flag), masterKey: MasterKeySource())
  }

  private static func failure(
    _ fault: DatabaseCopyFault, _ source: DataPlace, _ target: DataPlace
  ) -> CommandFailure {
    switch fault {
    case .notEmpty:
      CommandFailure(
        "the database \(target.name) isn't empty. Name another one, or remove what it has. Nothing "
          + "was copied")
    case .anotherCopy(let name):
      CommandFailure(
        "the database \(target.name) contains an unfinished copy of the database \(name). Continue "
          + "that copy, or begin with an empty database")
    case .differs(let table, let expected, let found):
      CommandFailure(
        "the table \(table) differs: \(expected) rows in the source, \(found) in the target. "
          + (expected == found ? "Some of them have other values. " : "")
          + "Something changed the source or the target during the copy. Begin again with an empty "
          + "target, with all servers stopped")
    }
  }
}
