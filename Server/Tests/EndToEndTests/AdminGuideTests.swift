import Foundation
import Testing

/// Runs the code of `docs/guides/admin-sdk.md` unchanged, while Google's hosts are unreachable.
@Suite struct AdminGuideTests {
  @Test func `the guide's code for development calls only the server`() async throws {
    try await GatehouseServer.with { server in
      var environment = server.clientEnvironment
      environment["GATEHOUSE_ROOT"] = Python.repository
      environment["GATEHOUSE_GUIDE"] = "development"
      try await Python.run("admin_guide.py", environment: environment)
    }
  }

  @Test func `the guide's code for production calls only the server`() async throws {
    try await TemporaryFolder.with { folder in
      let certificate = try await Certificate.make("localhost", in: folder)
      // The recipe contains only the public URL, so the server must run there.
      let port = try await FreePort.next()
      let publicURL = "https://127.0.0.1:\(port)"
      let production = try await Production.make(in: folder, publicURL: publicURL)
      let file = try await production.serviceAccount("backend", "customTokens", "admin")
      let key = try await production.command("admin-keys", "create", "--project", "my-app")
      let server = try await GatehouseServer.start(
        GatehouseServer.Options(
          isDevelopment: false,
          arguments: ["--public-url", publicURL, "--port", "\(port)"] + certificate.arguments,
          environment: ["GATEHOUSE_MASTER_KEY": production.masterKey]),
        in: folder)
      defer { server.process.kill() }
      try await Python.run(
        "admin_guide.py",
        environment: [
          "GATEHOUSE_BASE": publicURL, "GATEHOUSE_PROJECT": production.project,
          "GATEHOUSE_API_KEY": production.apiKey, "GATEHOUSE_SERVICE_ACCOUNT": file,
          "GATEHOUSE_ADMIN_KEY": try #require(key.lines.first),
          "GATEHOUSE_ROOT": Python.repository,
          "REQUESTS_CA_BUNDLE": certificate.file, "SSL_CERT_FILE": certificate.file,
        ])
      try await server.stop()
    }
  }
}
