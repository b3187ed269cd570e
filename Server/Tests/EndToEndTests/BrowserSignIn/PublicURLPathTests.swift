import Testing

/// A public URL with a path, behind a proxy that removes it.
@Suite struct PublicURLPathTests {
  @Test func `a browser signs in below a path, by query and by form`() async throws {
    let port = try await FreePort.next()
    let publicURL = "http://127.0.0.1:\(port)/auth"
    try await TemporaryFolder.with { folder in
      let server = try await GatehouseServer.start(
        GatehouseServer.Options(arguments: ["--public-url", publicURL]), in: folder)
      defer { server.process.kill() }
      try await Python.serve(
        "prefix_proxy.py", [String(port), "/auth", server.baseURL]
      ) { place in
        #expect(place["url"].string == publicURL)
        for provider in ["apple.com", "oidc.simulator"] {
          let person = try await server.providers.person()
          let app = NativeApp(server: server)
          let url = app.url(provider, parameters: ["person": person])
            .replacing(server.baseURL, with: publicURL)
          // The browser may not load from the server's own address.
          let end = try await Browser().open(url, within: [publicURL, server.simulatorURL])
          let link = end.deepLink["link"]
          #expect(link?.hasPrefix(publicURL + "/__/auth/handler?answer=") == true)
          #expect(try await app.redeem(link, provider).verdict == "200")
        }
      }
    }
  }
}
