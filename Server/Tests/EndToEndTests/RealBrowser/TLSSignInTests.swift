import Testing

/// Sign-ins over TLS, where only this host can set or read the cookies.
@Suite struct TLSSignInTests {
  @Test
  func `sign-ins with Apple (form_post) and Google (redirect) work over TLS at the public host`()
    async throws
  {
    try await TemporaryFolder.with { folder in
      let certificate = try await Certificate.make("serving", in: folder)
      let host = "auth.example.com"
      let options = GatehouseServer.Options(
        arguments: certificate.arguments + ["--set", "dev.allowedHosts=\(host)"])
      let server = try await GatehouseServer.start(options, in: folder)
      defer { server.process.kill() }
      var environment = server.clientEnvironment
      environment["REQUESTS_CA_BUNDLE"] = certificate.file
      try await Chromium.run("native_tls.py", [host], suite: "tls", environment: environment)
    }
  }
}
