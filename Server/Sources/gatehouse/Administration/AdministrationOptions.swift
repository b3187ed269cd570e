import ArgumentParser
import Foundation
import GatehouseProtocol
import GatehouseServer

/// Flags that name the server to administer.
struct RemoteOptions: ParsableArguments {
  @Option(
    help: """
      The server to administer, such as https://auth.example.com. Otherwise this command works on this machine. \
      Also GATEHOUSE_SERVER.
      """)
  var server: String?

  @Option(
    help: "The file with an administrator's key, for --server. Also GATEHOUSE_ADMIN_KEY_FILE.")
  var adminKeyFile: String?

  @Flag(help: "Print the API's answer, as JSON.")
  var json = false

  @Option(
    name: .customLong("server-ca-file"),
    help: """
      PEM: certificate authorities of --server, in addition to the machine's. Also GATEHOUSE_SERVER_CA_FILE.
      """)
  var serverAuthorities: String?

  var address: String? { server ?? RemoteVariables.value(RemoteVariables.server) }

  /// - Returns: What `body` returns for the server; nil if none is named.
  func withServer<Result: Sendable>(
    _ body: (AdministrationClient) async throws -> Result
  ) async throws -> Result? {
    guard let address else { return nil }
    let key = try Self.key(adminKeyFile ?? RemoteVariables.value(RemoteVariables.keyFile))
    let file = serverAuthorities ?? RemoteVariables.value(RemoteVariables.authorities)
    let authorities: PrivateAuthorities
    do {
      authorities = try file.map { try PrivateAuthorities(file: $0) } ?? PrivateAuthorities()
    } catch {
      throw CommandFailure(
        "the file \(file ?? "") can't be read, or contains no certificate in PEM")
    }
    return try await RemoteAdministration.with(address, key: key, authorities) {
      try await body(AdministrationClient(transport: $0, printsJSON: json))
    }
  }

  private static func key(_ file: String?) throws -> Secret<String> {
    guard let file else {
      throw CommandFailure(
        "--server needs an administrator's key, in --admin-key-file FILE: `gatehouse admin-keys create` on "
          + "the server's machine makes the first one")
    }
    guard let text = try? String(contentsOfFile: file, encoding: .utf8) else {
      throw CommandFailure("the file \(file) can't be read")
    }
    let key = text.trimmingCharacters(in: .whitespacesAndNewlines)
    guard !key.isEmpty else { throw CommandFailure("the file \(file) is empty") }
    return Secret(key)
  }
}

/// Flags of every command that administers. With `--server` it calls that server; otherwise it opens the database, and
/// calls the same handlers in this process.
struct AdministrationOptions: ParsableArguments {
  @OptionGroup(title: "Server") var remote: RemoteOptions
  @OptionGroup(title: "Database on this machine") var data: DataOptions

  /// - Parameters:
  ///   - publicURL: The server's, if the command has a flag for it.
  ///   - mode: The mode of a new database if there is none. If nil, a missing database is an error.
  func withClient<Result: Sendable>(
    publicURL: String? = nil, making mode: OpenDatabase.Mode? = nil,
    _ body: (AdministrationClient) async throws -> Result
  ) async throws -> Result {
    if isRemote, !data.isEmpty {
      throw ValidationError("--server and the flags of a database exclude each other")
    }
    if let result = try await remote.withServer(body) { return result }
    return try await data.withDatabase(making: mode) { database in
      let local = try await database.administration(publicURL: publicURL)
      return try await body(AdministrationClient(transport: local, printsJSON: remote.json))
    }
  }

  /// Whether a server is named.
  var isRemote: Bool { remote.address != nil }

  /// The flags with which another command finds the same server or database.
  var flag: String {
    get throws { try remote.address.map { "--server \($0)" } ?? data.place().flag }
  }
}

/// Flags of the commands that are about one project.
struct ProjectOptions: ParsableArguments {
  @Option(help: "The project. Required if there are several.")
  var project: String?

  @OptionGroup var administration: AdministrationOptions

  func run<Result: Sendable>(
    _ body: (ProjectClient) async throws -> Result
  ) async throws -> Result {
    try await administration.withClient { try await body(ProjectClient(project, $0)) }
  }
}

/// An administrator's client for one project.
struct ProjectClient: Sendable {
  let client: AdministrationClient
  let project: String

  /// - Parameter project: Nil for the only one that there is.
  init(_ project: String?, _ client: AdministrationClient) async throws {
    self.client = client
    if let project {
      self.project = project
      return
    }
    let answer = try await client.send(.get, ["v2", "projects"])
    let known = answer.objects("projects").compactMap { $0["projectId"]?.string }
    guard known.count == 1 else {
      throw CommandFailure(
        known.isEmpty
          ? "there is no project yet; create one with `gatehouse projects create ID`"
          : "name the project with --project: \(known.joined(separator: ", "))")
    }
    self.project = known[0]
  }

  /// - Parameter path: What follows `v2/projects/{p}`.
  @discardableResult
  func send(
    _ method: AdministrationClient.Method, _ path: String..., verb: String? = nil,
    query: KeyValuePairs<String, String?> = [:], body: JSONObject? = nil, hint: String? = nil
  ) async throws -> JSONObject {
    do {
      return try await client.send(
        method, ["v2", "projects", project] + path, verb: verb, query: query, body, hint: hint)
    } catch let refusal as AdministrationRefusal where refusal.message == "PROJECT_NOT_FOUND" {
      throw CommandFailure("there is no project “\(project)”; `gatehouse projects list` lists them")
    }
  }

  func say(_ answer: JSONObject, _ body: () throws -> Void) rethrows {
    try client.say(answer, body)
  }
}

/// The flag of the commands that ask before they destroy something.
struct ConfirmationOptions: ParsableArguments {
  @Flag(name: [.long, .short], help: "Don't ask.")
  var yes = false

  /// - Throws: ``CommandFailure`` unless the user agrees. Without a terminal nobody can be asked.
  func confirm(_ question: String) throws {
    if yes { return }
    guard isatty(STDIN_FILENO) == 1 else {
      throw CommandFailure("\(question) Nobody can be asked here: add --yes")
    }
    Terminal.ask("\(question) [y/N] ")
    let answer = readLine()?.lowercased() ?? ""
    guard answer == "y" || answer == "yes" else { throw CommandFailure("nothing was changed") }
  }
}
