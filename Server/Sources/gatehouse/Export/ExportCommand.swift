import ArgumentParser
import Foundation
import GatehouseServer
import GatehouseProtocol

struct ExportCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export",
    abstract: "Write a project's accounts to a file, in the format of firebase auth:export.",
    discussion: """
      `gatehouse import` and `firebase auth:import` read the file. With --with-password-hashes the \
      file contains the password hashes, and FILE.hash says how they were computed. One file contains \
      only hashes that were computed in the same way. Accounts with other hashes, such as imported \
      ones whose password wasn't used since, are written to further files next to FILE. Protect all \
      these files like passwords. A server may use the database at the same time.
      """)

  @Argument(help: "The file to create, .json or .csv.")
  var file: String

  @Option(help: "json or csv, if the file's name doesn't say.")
  var format: String?

  @Flag(help: "Also write password hashes, and the keys with which they were computed.")
  var withPasswordHashes = false

  @OptionGroup var project: ProjectOption
  @OptionGroup var data: DataOptions

  private static let page = 500

  func run() async throws {
    let format = try UserFileFormat.of(file, given: format)
    // Before the accounts are read, which may take long.
    if withPasswordHashes { try UserFileWriter.refuseExisting(file + ExportFiles.hashSuffix) }
    try await data.withDatabase { database in
      let project = try await database.project(try await project.resolve(in: database))
      let accounts = try await database.accounts()
      let files = ExportFiles(try UserFileWriter(file, format), format)
      var progress = Progress()
      var after: UID?
      repeat {
        let page = try await accounts.exportAccounts(
          after: after, pageSize: Self.page, includingPasswords: withPasswordHashes, in: project)
        for (account, password) in page.accounts { try files.add(account, password) }
        progress.show(files.count) { "\(files.count) accounts, \($0) a second" }
        after = page.next
      } while after != nil
      try files.finish()
      progress.clear()
      tell(files, project.id)
    }
  }

  private func tell(_ files: ExportFiles, _ project: ProjectID) {
    Terminal.say("\(files.count) accounts of \(project) exported:")
    for (writer, hashFile) in files.all {
      let hash = hashFile.map { " --hash-config \($0)" } ?? ""
      Terminal.say("  \(writer.path)  (\(writer.count))")
      Terminal.note("  to import it: gatehouse import \(writer.path)\(hash) --project ID")
    }
    let leftOut = Set(files.all.flatMap { $0.0.leftOut }).sorted()
    if !leftOut.isEmpty {
      Terminal.note(
        "The CSV has no column for \(leftOut.joined(separator: ", ")): those identities aren't in "
          + "it. Export JSON to keep them.")
    }
  }
}

/// The files of one export: hashes that were computed differently can't be imported together.
private final class ExportFiles {
  private let format: UserFileFormat
  private let main: UserFileWriter
  /// How the main file's hashes were computed; nil as long as it contains none.
  private var mainGroup: String?
  private var others: [String: UserFileWriter] = [:]
  private var hashFiles: [(writer: UserFileWriter, path: String, draft: PrivateFile.Draft)] = []
  private(set) var count = 0

  /// The end of the name of the file that says how the hashes were computed.
  static let hashSuffix = ".hash"

  init(_ main: UserFileWriter, _ format: UserFileFormat) {
    self.main = main
    self.format = format
  }

  var all: [(UserFileWriter, String?)] {
    let writers = [main] + others.values.sorted { $0.path < $1.path }
    return writers.map { writer in
      (writer, hashFiles.first { $0.writer === writer }?.path)
    }
  }

  func add(_ account: Account, _ password: ExportedPassword?) throws {
    count += 1
    var user = ExportedUser(UserInfo(account))
    guard let password else { return try main.add(user) }
    user.passwordHash = Data(password.digest).base64EncodedString()
    user.salt = Data(password.salt).base64EncodedString()
    try writer(for: password).add(user)
  }

  func finish() throws {
    for (_, _, draft) in hashFiles { try draft.finish() }
    for (writer, _) in all { try writer.finish() }
  }

  private func writer(for password: ExportedPassword) throws -> UserFileWriter {
    if mainGroup == password.group { return main }
    if let known = others[password.group] { return known }
    let writer: UserFileWriter
    if mainGroup == nil {
      mainGroup = password.group
      writer = main
    } else {
      let url = URL(fileURLWithPath: main.path).deletingPathExtension()
      writer = try UserFileWriter("\(url.path).\(others.count + 2).\(format.rawValue)", format)
      others[password.group] = writer
    }
    let path = writer.path + Self.hashSuffix
    try UserFileWriter.refuseExisting(path)
    guard let draft = PrivateFile.Draft(path) else { throw UserFileWriter.unwritable(path) }
    try draft.file.write(
      contentsOf: Data(HashConfigText.write(HashParameters(password.scheme)).utf8))
    hashFiles.append((writer, path, draft))
    return writer
  }
}
