import Foundation

/// An OpenID provider from another developer, started for a test.
struct OpenIDProvider: Sendable {
  let issuer: String
  let clientID: String
  let clientSecret: String
  /// The user who signs in there.
  let user: String
  let password: String

  private static let secondsToStart = 180.0

  /// The response of the provider's token endpoint.
  struct Tokens: Sendable {
    let idToken: String
    let accessToken: String
  }

  /// `oidc-provider-mock`: no `kid` in tokens, and `aud` is a list.
  static func withMock<Result: Sendable>(
    email: String, _ body: (OpenIDProvider) async throws -> Result
  ) async throws -> Result {
    let port = try await FreePort.next()
    let provider = OpenIDProvider(
      issuer: "http://127.0.0.1:\(port)", clientID: "our-app", clientSecret: "any", user: "alice",
      password: "")
    let claims: JSON = ["sub": "alice", "email": .string(email), "email_verified": true]
    return try await TemporaryFolder.with { folder in
      let process = try ChildProcess(
        try Python.tool("oidc-provider-mock"), ["-p", String(port), "--user-claims", claims.text],
        environment: ["AUTHLIB_INSECURE_TRANSPORT": "1"], folder: folder)
      return try await provider.run(process, body)
    }
  }

  /// `nanoidp`: no email in ID tokens, and keys that rotate on request.
  static func withNano<Result: Sendable>(
    _ body: (OpenIDProvider) async throws -> Result
  ) async throws -> Result {
    let port = try await FreePort.next()
    let provider = OpenIDProvider(
      issuer: "http://127.0.0.1:\(port)", clientID: "demo-client", clientSecret: "demo-secret",
      user: "testuser", password: "test123")
    return try await TemporaryFolder.with { folder in
      let tool = try Python.tool("nanoidp")
      try await ChildProcess(tool, ["init", folder.path], folder: folder).end()
      let settings = folder.path + "/settings.yaml"
      let text = try String(contentsOfFile: settings, encoding: .utf8)
      _ = try folder.write(
        "settings.yaml", text.replacing("http://localhost:8000", with: provider.issuer))
      let process = try ChildProcess(
        tool, ["--config", folder.path, "--port", String(port)], folder: folder)
      return try await provider.run(process, body)
    }
  }

  /// canaille, with a signed-in user: `aud` is a list with another client, `auth_time` has a
  /// fraction, and the client selects the algorithm of ID tokens.
  ///
  /// - Parameter client: More arguments for the script.
  static func withCanaille<Result: Sendable>(
    email: String, algorithm: String = "RS256", client: [String] = [],
    _ body: (OpenIDProvider) async throws -> Result
  ) async throws -> Result {
    try await Python.serve(
      "canaille_provider.py", ["--email", email, "--algorithm", algorithm] + client
    ) { place in
      let provider = OpenIDProvider(
        issuer: place["issuer"].string ?? "", clientID: place["clientID"].string ?? "",
        clientSecret: place["clientSecret"].string ?? "", user: place["user"].string ?? "",
        password: "")
      return try await body(provider)
    }
  }

  private func run<Result: Sendable>(
    _ process: ChildProcess, _ body: (OpenIDProvider) async throws -> Result
  ) async throws -> Result {
    defer { process.kill() }
    let isReady = try await Deadline.wait(seconds: Self.secondsToStart) {
      let reply = try? await HTTP.get(issuer + "/.well-known/openid-configuration")
      return reply?.status == 200 || !process.isRunning
    }
    guard isReady, process.isRunning else {
      throw Timeout("The provider didn't start.\n\(process.output)\n\(process.errors)")
    }
    return try await body(self)
  }

  /// Signs in through the provider's own pages, with a nonce.
  func signIn(nonce: String?) async throws -> Tokens {
    var arguments = [
      "--issuer", issuer, "--client-id", clientID, "--client-secret", clientSecret, "--user", user,
      "--password", password,
    ]
    if let nonce { arguments += ["--nonce-hash", Nonce.hash(nonce)] }
    let answer = JSON(
      reading: Data(try await Python.run("code_flow.py", arguments).utf8))
    guard let idToken = answer["id_token"].string, let accessToken = answer["access_token"].string
    else { throw ClientFailure("The provider answered \(answer.text)") }
    return Tokens(idToken: idToken, accessToken: accessToken)
  }

  /// The provider's configuration at our server.
  var configuration: JSON {
    [
      "issuer": .string(issuer), "clientId": .string(clientID), "enabled": true,
      "responseType": ["idToken": true],
    ]
  }
}
