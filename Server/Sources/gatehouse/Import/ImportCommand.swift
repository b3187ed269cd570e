import ArgumentParser
import Foundation
import GatehouseServer
import GatehouseProtocol

struct ImportCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "import",
    abstract: "Import the accounts of a Firebase project, with their passwords.",
    discussion: """
      Reads a file of any length that `firebase auth:export` wrote. A server may use the database \
      at the same time. Accounts keep their ids. Accounts that exist already stay unchanged \
      without --overwrite, so an import that was interrupted can be run again. Rows that can't be \
      imported are reported with their line number, and the others are imported; in that case the \
      exit status is 2.
      """)

  @Argument(help: "The exported file, .json or .csv.")
  var file: String

  @Option(help: "json or csv, if the file's name doesn't say.")
  var format: String?

  @Flag(help: "Replace accounts that exist already, and end their sessions.")
  var overwrite = false

  @Flag(
    help: """
      Check every row and write nothing. Rows that conflict with each other are found only within \
      a batch of at most a hundred rows.
      """)
  var dryRun = false

  @Option(help: "The file for the list of rows that failed. (default: FILE.failures)")
  var failures: String?

  @OptionGroup(title: "Password hashes") var hash: HashOptions
  @OptionGroup var project: ProjectOption
  @OptionGroup var data: DataOptions

  func run() async throws {
    let format = try UserFileFormat.of(file, given: format)
    var options = ImportOptions()
    options.scheme = try hash.scheme()
    options.existing = overwrite ? .replace : .keep
    options.isTrial = dryRun
    let report = failures ?? file + ".failures"
    for input in [file, hash.hashConfig, hash.hashKeyFile].compactMap(\.self)
    where PrivateFile.areSame(report, input) {
      throw CommandFailure(
        "\(report): the import reads this file; name another file for the list with --failures")
    }
    let users = try UserFile(file, format)
    try await data.withDatabase { [options] database in
      let project = try await database.project(try await project.resolve(in: database))
      var run = ImportRun(
        accounts: try await database.accounts(), project: project, options: options,
        size: users.size, report: FailureReport(report))
      do {
        try await users.read { rows, bytes in try await run.take(rows, bytesRead: bytes) }
      } catch let error as UserFileError {
        run.end()
        throw CommandFailure("\(file), \(error). \(run.summary); run it again with a complete file")
      } catch let error as StoreError {
        run.end()
        // A batch that failed may have written a part of its rows.
        throw CommandFailure(
          "the import stopped: \(error). "
            + (options.isTrial
              ? "" : "These accounts, and perhaps some more, are in the database: ")
            + "\(run.summary). When the fault is mended, run the same command again: it completes the "
            + "import")
      }
      run.end()
      Terminal.say((dryRun ? "Nothing was written. " : "") + run.summary + ".")
      if run.report.count > 0 {
        Terminal.note("Rows that weren't imported: \(run.report.path)")
        throw ExitCode(2)
      }
    }
  }
}

/// One import in progress.
private struct ImportRun {
  let accounts: AccountsService
  let project: Project
  let options: ImportOptions
  let size: Int?
  var report: FailureReport
  private var imported = 0
  private var kept = 0
  private var progress = Progress()

  init(
    accounts: AccountsService, project: Project, options: ImportOptions, size: Int?,
    report: FailureReport
  ) {
    self.accounts = accounts
    self.project = project
    self.options = options
    self.size = size
    self.report = report
  }

  var summary: String {
    let verb = options.isTrial ? "could be imported" : "imported"
    return "\(imported) \(verb), \(kept) existed already, \(report.count) not imported"
  }

  mutating func take(_ rows: [UserFileRow], bytesRead: Int) async throws {
    var lines: [Int] = []
    var list: [ImportedAccount] = []
    for row in rows {
      switch row.user {
      case .failure(let error): try fail(row.line, nil, error.message)
      case .success(let user):
        do {
          list.append(try ImportedAccount(user))
          lines.append(row.line)
        } catch {
          try fail(row.line, user.localID, error.message)
        }
      }
    }
    let outcome = try await accounts.importAccounts(list, options, in: project, now: Date())
    for (index, refusal) in outcome.refusals {
      try fail(lines[index], list[index].uid.text, message(refusal))
    }
    imported += outcome.imported
    kept += outcome.kept
    let (percent, failed) = (percent(bytesRead), report.count)
    let done = imported + kept + failed
    progress.show(done) { "\(percent)\(done) accounts, \($0) a second, \(failed) not imported" }
  }

  mutating func end() { progress.clear() }

  private mutating func fail(_ line: Int, _ uid: String?, _ message: String) throws {
    progress.clear()
    try report.add(line: line, uid: uid, message)
  }

  private func message(_ refusal: ImportRefusal) -> String {
    switch refusal {
    case .noScheme:
      "it has a password hash, but no hash parameters are given: give --hash-config FILE with the "
        + "console's \"Password hash parameters\""
    default: ImportRowError(refusal).message
    }
  }

  private func percent(_ bytes: Int) -> String {
    guard let size, size > 0 else { return "" }
    return "\(min(bytes * 100 / size, 100)) %, "
  }
}
