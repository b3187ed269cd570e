import Foundation
import GatehouseServer
import GatehouseProtocol
import Testing

@Suite struct GitHubProviderTests {
  @Test func `an access token signs in the user whom GitHub returns`() async throws {
    let github = try GitHubStub()
    let identity = try await github.signIn()
    #expect(identity.provider == .github)
    #expect(identity.subject.text == "583231")
    #expect(
      identity.profile
        == .init(
          displayName: "Ada Lovelace", photoURL: "https://avatars.example.com/u/583231",
          screenName: "ada"))
    #expect(identity.tokens.accessToken?.reveal() == GitHubStub.accessToken)
    #expect(identity.tokens.idToken == nil)
    #expect(try JSONObject(parsing: identity.rawUserInfo) == GitHubStub.profile)
  }

  @Test func `GitHub is first asked whether the token was issued to our app`() async throws {
    let github = try GitHubStub()
    _ = try await github.signIn()
    let requests = github.provider.transport.requests
    #expect(
      requests.map(\.url.text) == [GitHubStub.check, GitHubStub.user, GitHubStub.emails])
    let basic = Data("\(GitHubStub.clientID):\(GitHubStub.secret)".utf8).base64EncodedString()
    #expect(
      requests.map { $0.authorization?.reveal() } == [
        "Basic \(basic)", "Bearer \(GitHubStub.accessToken)", "Bearer \(GitHubStub.accessToken)",
      ])
    #expect(
      requests.first?.content?.bytes.reveal()
        == Array(#"{"access_token":"\#(GitHubStub.accessToken)"}"#.utf8))
  }

  @Test(arguments: [
    (EmailTrust.never, false), (.authoritative, false), (.always, true),
  ])
  func `the primary email is verified if GitHub says so, and trusted if the operator says so`(
    trust: EmailTrust, isTrusted: Bool
  ) async throws {
    var configuration = GitHubStub.configuration
    configuration.trustEmail = trust
    let email = try #require(try await GitHubStub().signIn(for: configuration).email)
    #expect(email.address.text == "ada@example.com")
    #expect(email.isVerified)
    #expect(email.isTrusted == isTrusted)
  }

  @Test func `a primary email that GitHub hasn't verified isn't verified`() async throws {
    let github = try GitHubStub()
    github.provider.transport.on(
      GitHubStub.emails,
      JSONValue.array([["email": "ada@example.com", "primary": true, "verified": false]])
        .serialized())
    #expect(try await github.signIn().email?.isVerified == false)
  }

  @Test func `without the scope for emails the public one isn't verified`() async throws {
    let github = try GitHubStub()
    github.checks(["scopes": ["repo"]])
    let email = try #require(try await github.signIn().email)
    #expect(email.address.text == "public@example.com")
    #expect(!email.isVerified)
    #expect(github.provider.transport.count(GitHubStub.emails) == 0)
  }

  @Test(arguments: [JSONValue.array([]), .null])
  func `a GitHub App's token has no scopes, and gets the verified primary email`(
    scopes: JSONValue
  ) async throws {
    let github = try GitHubStub()
    github.checks(["scopes": scopes])
    let email = try #require(try await github.signIn().email)
    #expect(email.address.text == "ada@example.com")
    #expect(email.isVerified)
  }

  @Test(arguments: [403, 404])
  func `without the permission or scopes the public email isn't verified`(
    status: Int
  ) async throws {
    let github = try GitHubStub()
    github.checks(["scopes": []])
    github.provider.transport.on(
      GitHubStub.emails, status: status, ["message": "Resource not accessible by integration"])
    let email = try #require(try await github.signIn().email)
    #expect(email.address.text == "public@example.com")
    #expect(!email.isVerified)
  }

  @Test func `without the permission and a public email there is no email`() async throws {
    let github = try GitHubStub()
    github.checks(["scopes": []])
    var profile = GitHubStub.profile
    profile["email"] = .null
    github.provider.transport.on(GitHubStub.user, profile)
    github.provider.transport.on(GitHubStub.emails, status: 403, ["message": "Forbidden"])
    #expect(try await github.signIn().email == nil)
  }

  @Test(arguments: [
    (401, FederationError.accessToken(.notGood)),
    (500, .refusedByProvider(status: 500, error: nil)),
  ])
  func `another failure to read the addresses ends the sign-in`(
    status: Int, error: FederationError
  ) async throws {
    let github = try GitHubStub()
    github.checks(["scopes": []])
    github.provider.transport.on(GitHubStub.emails, status: status, ["message": "Failed"])
    await #expect(throws: error) { try await github.signIn() }
  }

  @Test func `a token of another app is refused before its user is fetched`() async throws {
    let github = try GitHubStub()
    github.checks(["app": ["client_id": "Iv1.other"]])
    await #expect(throws: FederationError.accessToken(.otherApp)) { try await github.signIn() }
    #expect(github.provider.transport.count(GitHubStub.user) == 0)
  }

  @Test(arguments: [404, 422])
  func `a token that GitHub doesn't know is rejected`(status: Int) async throws {
    let github = try GitHubStub()
    github.provider.transport.on(GitHubStub.check, status: status, ["message": "Not Found"])
    await #expect(throws: FederationError.accessToken(.notGood)) { try await github.signIn() }
  }

  @Test func `a wrong client secret is reported as the operator's fault`() async throws {
    let github = try GitHubStub()
    github.provider.transport.on(GitHubStub.check, status: 401, ["message": "Bad credentials"])
    let error = await #expect(throws: FederationError.self) { try await github.signIn() }
    #expect(error == .refusedByProvider(status: 401, error: "invalid_client"))
    #expect(error?.isOperatorsConcern == true)
  }

  @Test func `an installation's token is rejected because it has no user`() async throws {
    let github = try GitHubStub()
    github.checks(["user": .null])
    await #expect(throws: FederationError.accessToken(.notOfPerson)) { try await github.signIn() }
  }

  @Test func `a profile of another user than the checked one is refused`() async throws {
    let github = try GitHubStub()
    var other = GitHubStub.profile
    other["id"] = 1
    github.provider.transport.on(GitHubStub.user, other)
    await #expect(throws: FederationError.otherSubject) { try await github.signIn() }
  }

  @Test func `text that a header can't contain isn't sent`() async throws {
    let github = try GitHubStub()
    await #expect(throws: FederationError.accessToken(.unreadable)) {
      try await github.signIn("gho_\r\nx: y")
    }
    #expect(github.provider.transport.requests.isEmpty)
  }

  @Test func `a sign-in without an access token is rejected`() async throws {
    let github = try GitHubStub()
    await #expect(throws: FederationError.missingAccessToken(.github)) {
      try await github.signIn(nil, idToken: "e30.e30.e30")
    }
  }

  @Test func `an access token with a nonce is refused`() async throws {
    let github = try GitHubStub()
    await #expect(throws: FederationError.nonceMissingInToken) {
      try await github.signIn(nonce: "raw")
    }
  }

  @Test func `GitHub is asked about every access token`() throws {
    let github = try GitHubStub()
    for idToken in [nil, "e30.e30.e30"] {
      let credential = IdPCredential(
        idToken: idToken.map { Secret($0) }, accessToken: Secret("gho_a"))
      #expect(
        github.provider.federation.asksProvider(
          about: credential, for: GitHubStub.configuration))
    }
  }

  // MARK: In a browser

  private func answer(issuer: String? = nil) throws -> BrowserAnswer {
    try BrowserAnswer.of(.code(Secret("c0de")), issuer: issuer)
  }

  @Test(arguments: [nil, "https://github.com/login/oauth"])
  func `a browser's code is exchanged for an identity`(issuer: String?) async throws {
    let github = try GitHubStub()
    github.provider.transport.on(
      GitHubStub.token,
      [
        "access_token": .string(GitHubStub.accessToken), "scope": "user:email",
        "token_type": "bearer",
      ])
    let identity = try await github.provider.federation.identity(
      from: answer(issuer: issuer), for: GitHubStub.configuration,
      now: github.provider.now)
    #expect(identity.subject.text == "583231")
    let transport = github.provider.transport
    #expect(
      transport.fields("code_verifier", at: GitHubStub.token)
        == [BrowserSignIn.tests?.codeVerifier])
    #expect(transport.fields("client_secret", at: GitHubStub.token) == [GitHubStub.secret])
  }

  @Test func `the code in a response of another issuer isn't exchanged`() async throws {
    let github = try GitHubStub()
    await #expect(
      throws: FederationError.answerOfOtherIssuer(
        received: "https://idp.example.com", expected: "https://github.com/login/oauth")
    ) {
      try await github.provider.federation.identity(
        from: answer(issuer: "https://idp.example.com"), for: GitHubStub.configuration,
        now: github.provider.now)
    }
    #expect(github.provider.transport.requests.isEmpty)
  }

  @Test func `an error with status 200 is an error`() async throws {
    let github = try GitHubStub()
    github.provider.transport.on(
      GitHubStub.token,
      [
        "error": "bad_verification_code",
        "error_description": "The code passed is incorrect or expired.",
      ])
    await #expect(
      throws: FederationError.refusedByProvider(status: 200, error: "bad_verification_code")
    ) {
      try await github.provider.federation.identity(
        from: answer(), for: GitHubStub.configuration, now: github.provider.now)
    }
  }

  @Test func `the request asks for emails, with PKCE and without a nonce`() async throws {
    let github = try GitHubStub()
    let plan = try await github.provider.federation.authorizationPlan(
      for: GitHubStub.configuration, now: github.provider.now)
    let url = plan.url(
      AuthorizationRequest(
        redirectURI: "https://auth.example.com/cb", state: "s", rawNonce: "raw",
        codeVerifier: "verifier"))
    let items = try #require(URLComponents(string: url)?.queryItems)
    #expect(url.hasPrefix("https://github.com/login/oauth/authorize?"))
    #expect(items.first { $0.name == "scope" }?.value == "user:email")
    #expect(items.first { $0.name == "code_challenge_method" }?.value == "S256")
    #expect(!items.contains { $0.name == "nonce" })
  }

  @Test func `a rejected code counts as a guess, and a wrong secret is the operator's fault`() {
    let code = FederationError.refusedByProvider(status: 200, error: "bad_verification_code")
    #expect(code.isRefusalOfCode && !code.isRefusalOfClient)
    let client = FederationError.refusedByProvider(
      status: 200, error: "incorrect_client_credentials")
    #expect(client.isRefusalOfClient && client.isOperatorsConcern)
  }

  @Test(arguments: [
    ("bad_verification_code", Finding.Verdict.ok),
    (
      "incorrect_client_credentials",
      .failed(
        remedy: "Compare the client id and the client secret with the provider's own page; the "
          + "secret may have expired there.")
    ),
  ])
  func `a test of the provider asks whether the secret is accepted`(
    error: String, verdict: Finding.Verdict
  ) async throws {
    let github = try GitHubStub()
    github.provider.transport.on(GitHubStub.token, ["error": .string(error)])
    let findings = await github.provider.federation.diagnose(
      GitHubStub.configuration, now: github.provider.now)
    #expect(findings.last?.check == "client secret")
    #expect(findings.last?.verdict == verdict)
  }

  @Test(arguments: [
    (GitHubStub.clientID, Finding("client id", .ok, GitHubStub.clientID)),
    (
      "",
      Finding(
        "client id", .failed(remedy: "Set the client id."),
        "there is no client id, so every sign-in is refused")
    ),
  ])
  func `a test of the provider speaks of the client id, because GitHub has no ID tokens`(
    clientID: String, finding: Finding
  ) async throws {
    let github = try GitHubStub()
    var configuration = GitHubStub.configuration
    configuration.clientID = clientID
    let findings = await github.provider.federation.diagnose(
      configuration, now: github.provider.now)
    #expect(findings.first == finding)
    #expect(!findings.contains { $0.check == "audiences" || $0.check == "keys" })
  }

  // MARK: Revocation, configuration

  @Test func `a revocation ends the user's grant for the app`() async throws {
    let github = try GitHubStub()
    github.provider.transport.on(GitHubStub.grant, status: 204, [UInt8]())
    try await github.provider.federation.revoke(
      Secret(GitHubStub.accessToken), kind: .access, for: GitHubStub.configuration,
      now: github.provider.now)
    let request = try #require(github.provider.transport.requests.last)
    #expect(request.url.text == GitHubStub.grant)
    #expect(request.isDeletion)
  }

  @Test func `a token that no longer exists can't be revoked`() async throws {
    let github = try GitHubStub()
    github.provider.transport.on(GitHubStub.grant, status: 404, ["message": "Not Found"])
    await #expect(throws: FederationError.accessToken(.notGood)) {
      try await github.provider.federation.revoke(
        Secret(GitHubStub.accessToken), kind: .access, for: GitHubStub.configuration,
        now: github.provider.now)
    }
  }

  @Test(arguments: ["../user", "a/b", "", "..", "a b"])
  func `a client id that would change the path of a URL is refused`(clientID: String) {
    var configuration = GitHubStub.configuration
    configuration.clientID = clientID
    #expect(
      ProviderConfigurationRules.faults(in: configuration, allowsPlainHTTP: false)
        == [.clientIDForm("GitHub's client ids are letters and digits")])
  }

  @Test func `a client without a secret is rejected`() {
    var configuration = GitHubStub.configuration
    configuration.clientSecret = nil
    #expect(
      ProviderConfigurationRules.faults(in: configuration, allowsPlainHTTP: false)
        == [.secretMissing])
  }
}
