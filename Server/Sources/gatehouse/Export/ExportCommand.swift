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

  @OptionGroup var project: ProjectOptions

  private static let page = "500"

  func run() async throws {
    let format = try UserFileFormat.of(file, given: format)
    // Before the accounts are read, which may take long.
    if withPasswordHashes { try UserFileWriter.refuseExisting(file + ExportFiles.hashSuffix) }
    try await project.run { project in
      let files = ExportFiles(try UserFileWriter(file, format), format)
      var progress = Progress()
      var token: String?
      repeat {
        let page = try await project.client.send(
          .get, ["v1", "projects", project.project, "accounts"], verb: "batchGet",
          query: ["maxResults": Self.page, "nextPageToken": token])
        for user in page.objects("users") {
          try files.add(user, withPassword: withPasswordHashes)
        }
        progress.show(files.count) { "\(files.count) accounts, \($0) a second" }
        token = page["nextPageToken"]?.string
      } while token != nil
      try files.finish()
      progress.clear()
      project.say(files.json) { tell(files, project.project) }
    }
  }

  private func tell(_ files: ExportFiles, _ project: String) {
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

  /// The files with the numbers of their accounts.
  var json: JSONObject {
    let files = all.map { writer, hash in
      var file: JSONObject = [
        "path": .string(writer.path), "users": .number(JSONNumber(Int64(writer.count))),
      ]
      file["hashConfig"] = hash.map { .string($0) }
      return JSONValue.object(file)
    }
    return ["files": .array(files)]
  }

  /// - Parameter resource: The user as the API has it.
  func add(_ resource: JSONObject, withPassword: Bool) throws {
    count += 1
    var user = ExportedUser(try UserInfo(WireFields(resource)))
    guard withPassword, let parameters = resource["passwordHashParameters"]?.object else {
      return try main.add(user)
    }
    user.passwordHash = resource["passwordHash"]?.string
    user.salt = resource["salt"]?.string
    try writer(for: parameters).add(user)
  }

  func finish() throws {
    for (_, _, draft) in hashFiles { try draft.finish() }
    for (writer, _) in all { try writer.finish() }
  }

  private func writer(for parameters: JSONObject) throws -> UserFileWriter {
    let group = String(decoding: parameters.serialized(), as: UTF8.self)
    if mainGroup == group { return main }
    if let known = others[group] { return known }
    let writer: UserFileWriter
    if mainGroup == nil {
      mainGroup = group
      writer = main
    } else {
      let url = URL(fileURLWithPath: main.path).deletingPathExtension()
      writer = try UserFileWriter("\(url.path).\(others.count + 2).\(format.rawValue)", format)
      others[group] = writer
    }
    let path = writer.path + Self.hashSuffix
    try UserFileWriter.refuseExisting(path)
    guard let draft = PrivateFile.Draft(path) else { throw UserFileWriter.unwritable(path) }
    let text = HashConfigText.write(try HashParameters(WireFields(parameters)))
    try draft.file.write(contentsOf: Data(text.utf8))
    hashFiles.append((writer, path, draft))
    return writer
  }
}
