import Testing

/// A mail server that lists the emails that it accepted.
struct MailServer {
  let url: String

  /// Waits until there are at least `count` emails. Returns all of them, oldest first.
  func messages(_ count: Int, within seconds: Double = 300) async throws -> [JSON] {
    let url = url
    let arrived = try await Deadline.wait(seconds: seconds) {
      try await HTTP.get(url).json["messages"].array.count >= count
    }
    #expect(arrived, "fewer than \(count) emails arrived")
    return try await HTTP.get(url).json["messages"].array
  }

  /// Sets the reply to each recipient. With nil the mail server accepts emails.
  func reply(_ text: String?) async throws {
    let body: JSON = ["reply": text.map { .string($0) } ?? .null]
    #expect(try await HTTP.send(.put, url, body: body.text).status == 200)
  }
}

/// A production server that sends its emails to another developer's mail server.
struct MailScene {
  let production: Production
  let server: String

  private var environment: [String: String] {
    [
      "GATEHOUSE_MASTER_KEY": production.masterKey, "GATEHOUSE_MAIL_SERVER": server,
      "GATEHOUSE_MAIL_FROM": "noreply@example.com",
      "GATEHOUSE_PUBLIC_URL": Production.publicURL,
    ]
  }

  /// Runs `body` with a mail server, and a production server that uses it.
  static func with(_ body: (MailServer, MailApp, MailScene) async throws -> Void) async throws {
    try await with("allowsPasswords=true") { mail, scene, server in
      let app = MailApp(
        client: AppClient(baseURL: server.baseURL, apiKey: scene.production.apiKey),
        process: server.process)
      try await body(mail, app, scene)
    }
  }

  /// - Parameter settings: The project's settings, as arguments of `gatehouse projects set`.
  static func with(
    _ settings: String..., domains: [String] = [],
    body: (MailServer, MailScene, GatehouseServer) async throws -> Void
  ) async throws {
    try await Python.serve("mail_server.py") { ports in
      try await TemporaryFolder.with { folder in
        let production = try await Production.make(in: folder)
        let configured = try await production.command(
          ["projects", "set", production.project] + settings + domains.flatMap { ["--domain", $0] }
            + ["--yes"])
        #expect(configured.status == 0, "\(configured.errors)")
        let scene = MailScene(
          production: production, server: "smtp://127.0.0.1:\(Int(ports["smtp"].number ?? 0))")
        let server = try await scene.start()
        defer { server.process.kill() }
        let mail = MailServer(url: "http://127.0.0.1:\(Int(ports["http"].number ?? 0))/")
        try await body(mail, scene, server)
      }
    }
  }

  func start() async throws -> GatehouseServer {
    try await GatehouseServer.start(
      GatehouseServer.Options(isDevelopment: false, environment: environment),
      in: production.folder)
  }

  func command(_ arguments: String...) async throws -> Command {
    try await production.command(arguments)
  }

  func mailCommand(_ arguments: String...) async throws -> Command {
    try await Command.run(["mail"] + arguments, environment: environment, in: production.folder)
  }
}
