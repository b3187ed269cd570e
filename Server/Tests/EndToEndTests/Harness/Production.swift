import Foundation

/// A production database with one project, created on the command line like an operator's.
struct Production: Sendable {
  let folder: TemporaryFolder
  let masterKey: String
  let project: String
  let apiKey: String

  static let publicURL = "https://auth.example.com"

  static func make(
    _ project: String = "my-app", in folder: TemporaryFolder, publicURL: String = publicURL
  ) async throws -> Production {
    let masterKey = try await Command.run(["keys", "new-master"], in: folder)
    guard masterKey.status == 0, let key = masterKey.lines.first else {
      throw ClientFailure("keys new-master: \(masterKey.errors)")
    }
    let made = try await Command.run(
      ["projects", "create", project, "--public-url", publicURL, "--data", folder.path + "/data"],
      environment: ["GATEHOUSE_MASTER_KEY": key], in: folder)
    let words = made.output.split(whereSeparator: \.isWhitespace).map(String.init)
    guard made.status == 0, let apiKey = words.first(where: { $0.hasPrefix("gk_") }) else {
      throw ClientFailure("projects create: \(made.output) \(made.errors)")
    }
    return Production(folder: folder, masterKey: key, project: project, apiKey: apiKey)
  }

  /// Runs a subcommand on the database.
  func command(_ arguments: String...) async throws -> Command {
    try await command(arguments)
  }

  func command(_ arguments: [String]) async throws -> Command {
    try await Command.run(
      arguments + ["--data", folder.path + "/data"],
      environment: ["GATEHOUSE_MASTER_KEY": masterKey], in: folder)
  }

  /// Runs `serve`, which must refuse to start.
  func refusal(
    _ arguments: [String], masterKey: String? = nil
  ) async throws -> Command {
    try await Command.run(
      ["serve", "--port", "0", "--data", folder.path + "/data"] + arguments,
      environment: (masterKey ?? self.masterKey).isEmpty
        ? [:] : ["GATEHOUSE_MASTER_KEY": masterKey ?? self.masterKey], in: folder)
  }

  func start(_ arguments: [String] = []) async throws -> GatehouseServer {
    try await GatehouseServer.start(
      GatehouseServer.Options(
        isDevelopment: false, arguments: ["--public-url", Self.publicURL] + arguments,
        environment: ["GATEHOUSE_MASTER_KEY": masterKey]),
      in: folder)
  }

  /// Runs `body` with a production server and an administrator's key for its project.
  static func with(
    _ body: (Production, GatehouseServer, Administrator) async throws -> Void
  ) async throws {
    try await TemporaryFolder.with { folder in
      let production = try await make(in: folder)
      let key = try await production.command("admin-keys", "create", "--project", "my-app")
      let server = try await production.start()
      defer { server.process.kill() }
      try await body(
        production, server,
        Administrator(
          baseURL: server.baseURL, token: key.lines.first ?? "", project: production.project))
      try await server.stop()
    }
  }
}
