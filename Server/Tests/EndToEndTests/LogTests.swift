import Foundation
import Testing

/// The log reports events and errors, and contains no credential.
@Suite struct LogTests {
  @Test func `no secret appears in the log, not even at trace`() async throws {
    let options = GatehouseServer.Options(arguments: ["--set", "log.level=trace"])
    try await TemporaryFolder.with { folder in
      let server = try await GatehouseServer.start(options, in: folder)
      defer { server.process.kill() }
      let secrets = try await story(server)
      #expect(secrets.count > 15)
      #expect(try await server.stop() == 0)
      let log = server.process.output + server.process.errors
      #expect(log.contains("signInWithIdp"))
      for (name, secret) in secrets {
        #expect(!log.contains(secret), "\(name) is in the log")
        // A usable part must not appear either: a token's signature, the end of a code.
        #expect(!log.contains(secret.suffix(24)), "the end of \(name) is in the log")
      }
    }
  }

  @Test func `the log quotes a provider that rejects this server's requests`()
    async throws
  {
    try await TemporaryFolder.with { folder in
      let server = try await GatehouseServer.start(
        GatehouseServer.Options(arguments: []), in: folder)
      defer { server.process.kill() }
      try await server.providers.put(
        "clients",
        [
          "provider": "google", "client_id": .string(SimulatedProviders.googleClientID),
          "client_secret": "a secret that the server doesn't have",
        ])
      let person = try await server.providers.person()
      let app = NativeApp(server: server)
      let end = try await app.open("google.com", parameters: ["person": person])
      let reply = try await app.redeem(end.deepLink["link"], "google.com")
      #expect(
        reply.verdict
          == "400 INVALID_IDP_RESPONSE : The provider refused the request: 401 invalid_client")
      #expect(try await server.stop() == 0)
      let log = (server.process.output + server.process.errors).split(separator: "\n")
      let lines = log.filter { $0.contains("the provider refused: 401 invalid_client") }
      #expect(lines.count == 1)
      #expect(lines.first?.contains("google.com") == true)
      #expect(lines.first?.contains("error") == true)
    }
  }

  @Test func `a provider's address that is dropped is reported, without the address`() async throws
  {
    try await TemporaryFolder.with { folder in
      let server = try await GatehouseServer.start(GatehouseServer.Options(), in: folder)
      defer { server.process.kill() }
      for (email, kept) in [
        ("Mu\u{F1}oz@b\u{FC}cher.example", "mu\u{F1}oz@xn--bcher-kva.example"),
        // A Cyrillic letter in place of the a.
        ("\u{430}dmin@secret.example", nil),
      ] as [(String, String?)] {
        let person = try await server.providers.person(email: email)
        let sheet = try await server.providers.apple(person, hidesEmail: false)
        let reply = try await server.app.signIn(sheet.credential)
        #expect(reply.verdict == "200")
        #expect(reply.json["email"].string == kept)
      }
      #expect(try await server.stop() == 0)
      let log = server.process.output + server.process.errors
      let lines = log.split(separator: "\n").filter { $0.contains("sent an email address that") }
      #expect(lines.count == 1)
      #expect(lines.first?.contains("apple.com") == true)
      #expect(!log.contains("secret.example"))
    }
  }

  @Test func `failed sign-ins and rejected administrators are visible by default`() async throws {
    try await TemporaryFolder.with { folder in
      let server = try await GatehouseServer.start(GatehouseServer.Options(), in: folder)
      defer { server.process.kill() }
      let email = Unique.email()
      _ = try await server.app.signUp(email, "a long password")
      #expect(try await server.app.signIn(email, "a wrong password").status == 400)
      let unsigned = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJzZWNyZXQtc3ViIn0.AAAA"
      let token = try await server.app.signInWithIdp(
        postBody: "providerId=google.com&id_token=\(unsigned)")
      #expect(token.status == 400)
      let refused = try await HTTP.send(
        .get, "\(server.baseURL)/v1/projects/demo/accounts:batchGet",
        headers: [("authorization", "Bearer made-up")])
      #expect(refused.status == 401)
      #expect(try await server.stop() == 0)
      let log = server.process.errors.split(separator: "\n")
      let signIn = try #require(log.first { $0.contains("A sign-in was rejected") })
      #expect(signIn.contains("info"))
      #expect(signIn.contains("code=INVALID_PASSWORD"))
      #expect(signIn.contains("route=signInWithPassword"))
      let provider = try #require(log.first { $0.contains("INVALID_IDP_RESPONSE") })
      #expect(provider.contains("(algorithmUnsupported): The header's alg isn't supported. HS256"))
      #expect(!server.process.errors.contains(unsigned))
      let administrator = try #require(log.first { $0.contains("An administrator was rejected") })
      #expect(administrator.contains("notice"))
      #expect(!server.process.errors.contains(email))
      #expect(!server.process.errors.contains("made-up"))
    }
  }

  @Test func `with log.format=json each entry is an object: start, sign-up, refusal, change, stop`()
    async throws
  {
    try await TemporaryFolder.with { folder in
      let server = try await GatehouseServer.start(
        GatehouseServer.Options(
          environment: [
            "GATEHOUSE_LOG_FORMAT": "json", "GATEHOUSE_LOG_CLIENT_ADDRESSES": "truncated",
          ]), in: folder)
      defer { server.process.kill() }
      let email = Unique.email()
      let made = try await server.app.signUp(email, "a long password")
      let uid = try #require(made.json["localId"].string)
      #expect(try await server.app.signIn(email, "a wrong password").status == 400)
      let disabled = try await server.administrator.call(
        .post, "accounts:update", ["localId": .string(uid), "disableUser": true])
      #expect(disabled.verdict == "200")
      #expect(try await server.stop() == 0)
      let lines = server.process.errors.split(separator: "\n").map { JSON(reading: Data($0.utf8)) }
      #expect(lines.allSatisfy { $0["time"].string != nil && $0["level"].string != nil })
      func entry(_ message: String) throws -> JSON {
        try #require(lines.first { $0["message"].string == message }, "\(message)")
      }
      let start = try entry("server started")
      #expect(start["version"].string?.isEmpty == false)
      #expect(start["settings"].string?.contains("log.format") == true)
      let signUp = try entry("account.created")
      #expect(signUp["uid"].string == uid)
      #expect(signUp["actor"].string == "user")
      #expect(signUp["client"].string == "127.0.0.0/24")
      #expect(signUp["request_id"].string?.isEmpty == false)
      let refusal = try entry("A sign-in was rejected")
      #expect(refusal["uid"].string == uid)
      #expect(refusal["method"].string == "password")
      #expect(refusal["code"].string == "INVALID_PASSWORD")
      let change = try entry("account.disabled")
      #expect(change["actor"].string == "administrator owner")
      _ = try entry("stopping; requests in progress are finished")
      _ = try entry("server stopped")
      #expect(!server.process.errors.contains(email))
    }
  }

  /// Uses all features, with success and with errors.
  private func story(_ server: GatehouseServer) async throws -> [(name: String, value: String)] {
    let (app, providers) = (server.app, server.providers)
    var secrets: [(name: String, value: String)] = []
    func keep(_ name: String, _ reply: Reply, _ members: String...) {
      for member in members {
        if let value = reply.json[member].string { secrets.append(("\(name) \(member)", value)) }
      }
    }
    let email = Unique.email("logged")
    let password = "correct horse \(Unique.name("battery"))"
    secrets += [("password", password), ("wrong password", password + "x"), ("email", email)]
    keep("sign-up", try await app.signUp(email, password), "idToken", "refreshToken")
    _ = try await app.signIn(email, password + "x")

    let person = try await providers.person()
    let sheet = try await providers.apple(person)
    secrets += [
      ("Apple's token", sheet.credential.idToken), ("code", sheet.authorizationCode),
      ("nonce", sheet.credential.nonce ?? ""),
    ]
    var wrong = sheet.credential
    wrong.nonce = Unique.nonce()
    secrets.append(("wrong nonce", wrong.nonce ?? ""))
    _ = try await app.signIn(wrong)
    let session = try await app.signInWithIdp(
      postBody: sheet.credential.rawPostBody(user: #"{"name":{"firstName":"Ada"}}"#))
    keep("Apple", session, "idToken", "refreshToken", "pendingToken")
    _ = try await app.signIn(sheet.credential)

    let google = try await providers.google(person)
    secrets.append(("Google's token", google.idToken))
    let idToken = try #require(session.json["idToken"].string)
    let linked = try await app.signInWithIdp(postBody: google.postBody, idToken: idToken)
    keep("link", linked, "idToken", "refreshToken", "pendingToken")
    let stranger = try await providers.person(email: email)
    keep("conflict", try await app.signIn(try await providers.openID(stranger)), "pendingToken")

    let refreshed = try await app.refresh(try #require(session.json["refreshToken"].string))
    keep("refresh", refreshed, "id_token", "refresh_token")
    _ = try await app.refresh(try #require(refreshed.json["refresh_token"].string) + "x")
    _ = try await app.lookup(try #require(JWTParts(idToken)).withChangedSignature)
    _ = try await app.call("signUp", .string(password))
    var stolen = server.administrator
    stolen.token = "gha_" + Unique.name("not-a-key")
    secrets.append(("admin key", stolen.token))
    _ = try await stolen.call(.post, "accounts:lookup", [:])
    let configured = try await server.administrator.configure(
      "oidc.logged",
      [
        "issuer": "http://127.0.0.1:1", "clientId": "c", "clientSecret": .string(password),
        "enabled": true, "responseType": ["code": true],
      ])
    #expect(configured.verdict == "200")
    let fresh = try #require(refreshed.json["id_token"].string)
    _ = try await app.revokeAppleCode(sheet.authorizationCode, idToken: fresh)
    _ = try await app.call("delete", ["idToken": .string(fresh)])
    return secrets.filter { !$0.value.isEmpty }
  }
}
