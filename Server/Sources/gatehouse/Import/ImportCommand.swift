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
  @OptionGroup var project: ProjectOptions

  func run() async throws {
    let format = try UserFileFormat.of(file, given: format)
    let parameters = try hash.parameters()
    let report = failures ?? file + ".failures"
    for input in [file, hash.hashConfig, hash.hashKeyFile].compactMap(\.self)
    where PrivateFile.areSame(report, input) {
      throw CommandFailure(
        "\(report): the import reads this file; name another file for the list with --failures")
    }
    let users = try UserFile(file, format)
    try await project.run { project in
      // A project that isn't there is told before anything is read.
      try await project.send(.get)
      var request = parameters.json
      request["existing"] = overwrite ? "replace" : "keep"
      if dryRun { request["validateOnly"] = true }
      var run = ImportRun(
        project: project, request: request, isTrial: dryRun, size: users.size,
        report: FailureReport(report))
      do {
        try await users.read { rows, bytes in try await run.take(rows, bytesRead: bytes) }
      } catch let error as UserFileError {
        run.end()
        throw CommandFailure("\(file), \(error). \(run.summary); run it again with a complete file")
      } catch let error as AdministrationRefusal {
        throw stopped(&run, "\(error)")
      } catch let error as RemoteAdministration.Unreachable {
        throw stopped(&run, "\(error)")
      }
      run.end()
      project.say(run.json) {
        Terminal.say((dryRun ? "Nothing was written. " : "") + run.summary + ".")
      }
      if run.report.count > 0 {
        Terminal.note("Rows that weren't imported: \(run.report.path)")
        throw ExitCode(2)
      }
    }
  }

  private func stopped(_ run: inout ImportRun, _ reason: String) -> CommandFailure {
    run.end()
    // A batch that failed may have written a part of its rows.
    return CommandFailure(
      "the import stopped: \(reason). "
        + (dryRun ? "" : "These accounts, and perhaps some more, are in the database: ")
        + "\(run.summary). When the fault is mended, run the same command again: it completes the "
        + "import")
  }
}

/// One import in progress.
private struct ImportRun {
  private let project: ProjectClient
  /// Each request without its users.
  private let request: JSONObject
  private let isTrial: Bool
  private let size: Int?
  private(set) var report: FailureReport
  private var imported = 0
  private var kept = 0
  private var progress = Progress()
  private var batch: [(line: Int, user: UploadedUser)] = []
  private var batchBytes = 0

  /// A request may have 1000 users, of which 200 have a password in plain text, and 8 MiB.
  private static let maximumRows = 200
  private static let maximumBytes = 4 << 20

  init(
    project: ProjectClient, request: JSONObject, isTrial: Bool, size: Int?, report: FailureReport
  ) {
    self.project = project
    self.request = request
    self.isTrial = isTrial
    self.size = size
    self.report = report
  }

  var summary: String {
    let verb = isTrial ? "could be imported" : "imported"
    return "\(imported) \(verb), \(kept) existed already, \(report.count) not imported"
  }

  var json: JSONObject {
    func number(_ count: Int) -> JSONValue { .number(JSONNumber(Int64(count))) }
    return [
      "imported": number(imported), "kept": number(kept), "failed": number(report.count),
    ]
  }

  mutating func take(_ rows: [UserFileRow], bytesRead: Int) async throws {
    for row in rows {
      switch row.user {
      case .failure(let error): try fail(row.line, nil, error.message)
      case .success(let user):
        let bytes = user.json().count
        if batch.count == Self.maximumRows || batchBytes + bytes > Self.maximumBytes {
          try await send()
        }
        batch.append((row.line, user))
        batchBytes += bytes
      }
    }
    try await send()
    let (percent, failed) = (percent(bytesRead), report.count)
    let done = imported + kept + failed
    progress.show(done) { "\(percent)\(done) accounts, \($0) a second, \(failed) not imported" }
  }

  private mutating func send() async throws {
    guard !batch.isEmpty else { return }
    var body = request
    body["users"] = .array(
      try batch.map { .object(try JSONObject(parsing: $0.user.json())) })
    let answer = try await project.client.send(
      .post, ["v1", "projects", project.project, "accounts"], verb: "batchCreate", body)
    for error in answer.objects("error") {
      guard let index = error["index"]?.number?.int64, batch.indices.contains(Int(index)) else {
        continue
      }
      let row = batch[Int(index)]
      try fail(row.line, row.user.localID, message(error.shown("message")))
    }
    imported += Int(clamping: answer["imported"]?.number?.int64 ?? 0)
    kept += Int(clamping: answer["kept"]?.number?.int64 ?? 0)
    batch = []
    batchBytes = 0
  }

  mutating func end() { progress.clear() }

  private mutating func fail(_ line: Int, _ uid: String?, _ message: String) throws {
    progress.clear()
    try report.add(line: line, uid: uid, message)
  }

  private func message(_ text: String) -> String {
    guard text == ImportRowError(.noScheme).message else { return text }
    return "it has a password hash, but no hash parameters are given: give --hash-config FILE "
      + "with the console's \"Password hash parameters\""
  }

  private func percent(_ bytes: Int) -> String {
    guard let size, size > 0 else { return "" }
    return "\(min(bytes * 100 / size, 100)) %, "
  }
}
