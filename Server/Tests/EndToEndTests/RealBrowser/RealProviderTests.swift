import Testing

/// OpenID providers from other developers, configured with `gatehouse providers add`, and their
/// login pages: the code flow with PKCE.
@Suite struct RealProviderTests {
  @Test func `a user signs in on Canaille's pages`() async throws {
    try await signIn(
      "oidc.canaille", mode: "query", program: "canaille_provider.py", ["--signed-out"],
      settings: ["--trusted-audience", "their-api"])
  }

  @Test func `a user signs in on django-oauth-toolkit's pages`() async throws {
    try await signIn("oidc.django", mode: "query", program: "django_provider.py")
  }

  @Test(arguments: ["query", "form_post"])
  func `a user signs in on idpyoidc's pages`(_ mode: String) async throws {
    try await signIn(
      "oidc.idpy", mode: mode, program: "idpy_provider.py", settings: ["--response-mode", mode])
  }

  private func signIn(
    _ provider: String, mode: String, program: String, _ arguments: [String] = [],
    settings: [String] = []
  ) async throws {
    let email = Unique.email()
    try await TemporaryFolder.with { folder in
      let server = try await GatehouseServer.start(GatehouseServer.Options(), in: folder)
      defer { server.process.kill() }
      let redirectURI = "\(server.baseURL)/__/auth/handler/demo/\(provider)"
      try await Python.serve(
        program, ["--redirect-uri", redirectURI, "--email", email] + arguments
      ) { place in
        let secret = try folder.write("secret.txt", place["clientSecret"].string ?? "")
        let added = try await Command.run(
          [
            "providers", "add", provider, "--issuer", place["issuer"].string ?? "", "--client-id",
            place["clientID"].string ?? "", "--client-secret-file", secret, "--project", "demo",
            "--data", folder.path + "/data",
          ] + settings, in: folder)
        #expect(added.status == 0, "\(added.errors)")
        try await Chromium.run(
          "real_provider.py", [provider, mode, place.text, email], suite: "providers",
          environment: server.clientEnvironment)
      }
    }
  }
}
