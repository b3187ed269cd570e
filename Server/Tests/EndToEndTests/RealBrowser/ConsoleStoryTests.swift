import Foundation
import Testing

/// The console of a production server, in Chromium.
@Suite struct ConsoleStoryTests {
  /// An empty production server with TLS, whose first owner is invited.
  private func withConsole(
    _ story: String, _ arguments: String...
  ) async throws {
    try await TemporaryFolder.with { folder in
      let url = "https://localhost:\(try await FreePort.next())"
      let certificate = try await Certificate.make("server", in: folder)
      let masterKey = try #require(
        try await Command.run(["keys", "new-master"], in: folder).lines.first)
      let environment = ["GATEHOUSE_MASTER_KEY": masterKey]
      let invited = try await Command.run(
        [
          "console", "invite", "ada", "--role", "owner", "--public-url", url, "--data",
          folder.path + "/data",
        ], environment: environment, in: folder)
      let invitation = try #require(invited.lines.first, "\(invited.errors)")
      try await SecureSimulator.with(in: folder) { simulator in
        let server = try await GatehouseServer.start(
          GatehouseServer.Options(
            isDevelopment: false,
            arguments: [
              "--port", String(url.split(separator: ":").last ?? ""), "--public-url", url,
            ]
              + certificate.arguments + simulator.settings,
            environment: environment), in: folder)
        defer { server.process.kill() }
        try await Chromium.run(
          story, [invitation, simulator.issuer] + arguments, suite: "console",
          environment: [
            "GATEHOUSE_BASE": url, "GATEHOUSE_SIMULATOR": simulator.providers.baseURL,
            "REQUESTS_CA_BUNDLE": certificate.file,
          ])
        #expect(try await server.stop() == 0)
      }
    }
  }

  @Test func `an owner sets up a project, and a user signs in, is changed and deleted`()
    async throws
  {
    try await withConsole("console_story.py")
  }

  @Test func `another browser, another site and another role get nothing`() async throws {
    try await withConsole("console_attacks.py")
  }
}
