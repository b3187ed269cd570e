import GatehouseAuth
import Foundation
import Testing

/// Blocking functions in Python, which verify each request, against the real server.
@Suite struct BlockingFunctionTests {
  private static let triggers = ["beforeCreate", "beforeSignIn"]

  /// A production server whose project has the functions.
  ///
  /// - Parameter seconds: The time within which a function must respond. Long by default, because the
  ///   machine may be busy.
  private func with(
    seconds: Int = 60, policy: String = "refuse", triggers: [String] = triggers,
    _ body: (Production, GatehouseServer, AppClient, _ functions: String) async throws -> Void
  ) async throws {
    try await Python.serve("blocking_function.py") { ready in
      let url = try #require(ready["url"].string)
      try await TemporaryFolder.with { folder in
        let production = try await Production.make(in: folder)
        var secrets: [String: JSON] = [:]
        for trigger in triggers {
          let set = try await production.command(
            "blocking-functions", "set", trigger, "--url", url + trigger, "--on-failure", policy)
          let words = set.output.split(whereSeparator: \.isWhitespace).map(String.init)
          secrets[trigger] = .string(try #require(words.first { $0.hasPrefix("whsec_") }))
        }
        let server = try await GatehouseServer.start(
          GatehouseServer.Options(
            isDevelopment: false,
            arguments: [
              "--public-url", Production.publicURL, "--metrics-port", "0", "--set",
              "blockingFunctions.seconds=\(seconds)",
            ], environment: ["GATEHOUSE_MASTER_KEY": production.masterKey]), in: folder)
        defer { server.process.kill() }
        let setup: JSON = [
          "secrets": .object(secrets),
          "issuer": .string("\(Production.publicURL)/\(production.project)"),
          "jwks": .string("\(server.baseURL)/\(production.project)/.well-known/jwks.json"),
        ]
        _ = try await HTTP.send(.post, url + "setup", body: setup.text)
        try await body(
          production, server, AppClient(baseURL: server.baseURL, apiKey: production.apiKey), url)
        try await server.stop()
      }
    }
  }

  private static func claims(_ token: JSON) throws -> JSON {
    try #require(token.string.flatMap { JWTParts($0) }).claims
  }

  private func behave(_ functions: String, _ behaviour: JSON) async throws {
    _ = try await HTTP.send(.put, functions, body: behaviour.text)
  }

  @Test func `functions set claims and a name, and refuse with a message`() async throws {
    try await with { production, server, app, url in
      try await behave(
        url,
        [
          "beforeCreate": [
            "allow": ["displayName": "Ann", "customClaims": ["role": "editor"]]
          ],
          "beforeSignIn": ["allow": ["sessionClaims": ["shift": "night"]]],
        ])
      let ann = try await app.signUp("ann@example.com", "a long password")
      #expect(ann.verdict == "200")
      let claims = try Self.claims(ann.json["idToken"])
      #expect(claims["name"] == "Ann")
      #expect(claims["role"] == "editor")
      #expect(claims["shift"] == "night")
      let refreshed = try await app.refresh(try #require(ann.json["refreshToken"].string))
      #expect(try Self.claims(refreshed.json["id_token"])["shift"] == "night")
      let seen = try await HTTP.get(url).json
      #expect(seen["forged"].array.isEmpty, "\(seen["forged"])")
      #expect(seen["asked"].array.map { $0["event_type"].string } == Self.triggers)
      for question in seen["asked"].array {
        #expect(question["sub"] == ann.json["localId"])
        #expect(question["user_record"]["email"] == "ann@example.com")
        // The operator stores no addresses.
        #expect(question["ip_address"].string == nil)
      }
      try await behave(url, ["refuse": "Only employees.\u{7}"])
      let bob = try await app.signUp("bob@example.com", "a long password")
      let refusal =
        #"BLOCKING_FUNCTION_ERROR_RESPONSE : HTTP Cloud Function returned an error: "#
        + #"{"error":{"message":"Only employees.","status":"PERMISSION_DENIED"}}"#
      #expect(bob.json["error"]["message"].string == refusal)
      let again = try await app.signIn("ann@example.com", "a long password")
      #expect(again.json["error"]["message"].string == refusal)
      let listed = try await production.command("users", "list")
      #expect(listed.output.contains("ann@example.com"))
      #expect(!listed.output.contains("bob@example.com"))
      let metrics = try await HTTP.get(try #require(server.metricsURL)).text
      for (trigger, outcome, count) in [
        ("beforeCreate", "allowed", 1), ("beforeCreate", "refused", 1),
        ("beforeSignIn", "refused", 1),
      ] {
        let line = metrics.split(separator: "\n").first {
          $0.hasPrefix("gatehouse_blocking_function_calls_total{")
            && $0.contains(trigger) && $0.contains(outcome)
        }
        #expect(line?.hasSuffix(" \(count)") == true, "\(metrics)")
      }
    }
  }

  @Test func `a user whom a function disables has an account that can't be used`() async throws {
    try await with(triggers: ["beforeCreate"]) { production, _, app, url in
      try await behave(url, ["allow": ["disabled": true]])
      for call in [app.signUp, app.signIn] {
        let refused = try await call("ann@example.com", "a long password")
        #expect(refused.json["error"]["message"] == "USER_DISABLED")
      }
      #expect(try await production.command("users", "list").output.contains("ann@example.com"))
    }
  }

  /// Failing behaviours of a function, with the reason that the log gives for each.
  private static let failures: [(behaviour: JSON, reason: String)] = [
    (["hang": true], "did not respond in time"),
    (["garbage": "<h1>It works!</h1>"], "the response is not a JSON object"),
    (
      ["garbage": #"{"userRecord":{"disabled":"x","updateMask":"disabled"}}"#],
      "invalid value: disabled"
    ),
    (
      ["garbage": #"{"userRecord":{"customClaims":{"sub":"x"},"updateMask":"customClaims"}}"#],
      "customClaims.sub"
    ),
    (["status": 500], "the function responded with status 500"),
  ]

  @Test(arguments: ["refuse", "allow"])
  func `a function that hangs, answers garbage or is down`(_ policy: String) async throws {
    try await with(seconds: 2, policy: policy, triggers: ["beforeSignIn"]) {
      production, server, app, url in
      try await behave(url, ["allow": [:]])
      // The machine may be too busy for two seconds.
      let hasSignedUp = try await Deadline.wait {
        let verdict = try await app.signUp("ann@example.com", "a long password").verdict
        return verdict == "200" || verdict.contains("EMAIL_EXISTS")
      }
      #expect(hasSignedUp)
      let expected = policy == "allow" ? "200" : "BLOCKING_FUNCTION_ERROR_RESPONSE"
      for (behaviour, reason) in Self.failures {
        try await behave(url, behaviour)
        let isLogged = try await Deadline.wait {
          let reply = try await app.signIn("ann@example.com", "a long password")
          #expect(reply.verdict.contains(expected), "\(reason): \(reply.text)")
          return server.process.errors.contains(reason)
        }
        #expect(isLogged, "\(reason): \(server.process.errors)")
      }
      // A refusal counts under each policy. A busy machine may miss the function's time limit, so the test
      // repeats the sign-in.
      try await behave(url, ["refuse": "Not now."])
      let isRefused = try await Deadline.wait {
        try await app.signIn("ann@example.com", "a long password").text.contains("Not now.")
      }
      #expect(isRefused)
      let port = try await FreePort.next()
      _ = try await production.command(
        "blocking-functions", "set", "beforeSignIn", "--url", "http://127.0.0.1:\(port)/f")
      let isDown = try await Deadline.wait {
        let reply = try await app.signIn("ann@example.com", "a long password")
        return server.process.errors.contains("accepts no connection")
          && reply.verdict.contains(expected)
      }
      #expect(isDown, "\(server.process.errors)")
      // The URL's path may be a secret.
      #expect(!server.process.errors.contains("127.0.0.1:\(port)/f"))
      let removed = try await production.command(
        "blocking-functions", "remove", "beforeSignIn", "--yes")
      #expect(removed.status == 0)
      let isFree = try await Deadline.wait {
        try await app.signIn("ann@example.com", "a long password").verdict == "200"
      }
      #expect(isFree)
    }
  }

  @Test func `the command shows, tests and changes functions, and doctor reports them`()
    async throws
  {
    try await with { production, server, _, url in
      let shown = try await production.command("blocking-functions", "show")
      #expect(shown.output.contains(url + "beforeCreate"))
      #expect(!shown.output.contains("whsec_"))
      let test = ["blocking-functions", "test", "beforeSignIn"]
      let tested = try await production.command(test)
      #expect(tested.status == 0, "\(tested.output)")
      #expect(tested.output.contains("allows the user"))
      try await behave(url, ["refuse": "Only employees."])
      #expect(
        try await production.command(test).output.contains("refuses the user: Only employees."))
      try await behave(url, ["garbage": "{"])
      let failed = try await production.command(test)
      #expect(failed.status != 0)
      #expect(failed.output.contains("the response is not a JSON object"))
      // The receiver knows only the old secret, which still signs.
      try await behave(url, ["allow": [:]])
      let rotated = try await production.command(
        "blocking-functions", "set", "beforeSignIn", "--new-secret")
      #expect(rotated.output.contains("whsec_"))
      #expect(try await production.command(test).status == 0)
      _ = try await production.command("blocking-functions", "set", "beforeSignIn", "--new-secret")
      let refused = try await production.command(test)
      #expect(refused.status != 0)
      #expect(refused.output.contains("status 401"))
      let doctor = try await production.command(
        "doctor", "--public-url", Production.publicURL, "--offline")
      #expect(doctor.status != 2, "\(doctor.output)")
      for wrong in [
        ["set", "beforeDelete", "--url", "https://f.example.com"],
        ["set", "beforeCreate", "--url", "http://f.example.com"],
        ["set", "beforeCreate", "--on-failure", "ignore"], ["set", "beforeCreate"],
      ] {
        #expect(try await production.command(["blocking-functions"] + wrong).status != 0)
      }
    }
  }

  @Test func `apps see the function's message, and two first sign-ins at once make one account`()
    async throws
  {
    try await Python.serve("blocking_function.py") { ready in
      let url = try #require(ready["url"].string)
      let options = GatehouseServer.Options(
        environment: ["GATEHOUSE_BLOCKING_FUNCTIONS_SECONDS": "60"])
      try await GatehouseServer.with(options) { server in
        let administrator = Administrator(baseURL: server.baseURL)
        let set = try await administrator.call(
          .patch, "config",
          [
            "blockingFunctions": [
              "triggers": ["beforeCreate": ["functionUri": .string(url + "beforeCreate")]]
            ]
          ], version: "v2")
        let secret = set.json["blockingFunctions"]["triggers"]["beforeCreate"]["secret"]
        #expect(secret.string?.hasPrefix("whsec_") == true, "\(set.text)")
        let setup: JSON = [
          "secrets": ["beforeCreate": secret],
          "issuer": "https://securetoken.google.com/demo",
          "jwks": .string("\(server.baseURL)/demo/.well-known/jwks.json"),
        ]
        _ = try await HTTP.send(.post, url + "setup", body: setup.text)
        let device = try FacadeApp(server)
        try await behave(url, ["refuse": "Only employees."])
        let refused = await authError {
          try await device.auth.createUser(withEmail: Unique.email(), password: "notasecret")
        }
        #expect(refused?.code == AuthErrorCode.blockingCloudFunctionError.rawValue)
        #expect(refused?.code == 17105)
        #expect(refused?.localizedDescription == "Only employees.")
        let byGoogle = await authError {
          try await device.auth.signIn(with: try await device.google("bob"))
        }
        #expect(byGoogle?.code == 17105)
        try await behave(url, ["allow": ["displayName": "Staff"]])
        let credential = try await server.providers.google("alice", nonce: nil)
        let replies = try await withThrowingTaskGroup(of: Reply.self) { group in
          for _ in 0..<4 { group.addTask { try await server.app.signIn(credential) } }
          return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(replies.map(\.verdict) == ["200", "200", "200", "200"])
        #expect(Set(replies.compactMap { $0.json["localId"].string }).count == 1)
        #expect(replies.count { $0.json["isNewUser"].bool == true } == 1)
        #expect(try await HTTP.get(url).json["forged"].array.isEmpty)
      }
    }
  }

  @Test(arguments: ["RS256", "ES256"])
  func `the example lets only a company's addresses have accounts`(
    _ algorithm: String
  ) async throws {
    try await TemporaryFolder.with { folder in
      let production = try await Production.make(in: folder)
      let signed = try await production.command(
        "projects", "set", production.project, "tokens.algorithm=\(algorithm)")
      #expect(signed.status == 0, "\(signed.errors)")
      let port = try await FreePort.next()
      let url = "http://127.0.0.1:\(port)"
      var environment = [
        "FUNCTIONS_URL": url, "ISSUER": "\(Production.publicURL)/\(production.project)",
        "DOMAIN": "example.com", "PORT": String(port), "PYTHONDONTWRITEBYTECODE": "1",
      ]
      for (trigger, name) in [
        ("beforeCreate", "CREATE_SECRET"), ("beforeSignIn", "SIGN_IN_SECRET"),
      ] {
        let set = try await production.command(
          "blocking-functions", "set", trigger, "--url", "\(url)/\(trigger)")
        let words = set.output.split(whereSeparator: \.isWhitespace).map(String.init)
        let secret: String = try #require(words.first { $0.hasPrefix("whsec_") })
        environment[name] = secret
      }
      let server = try await GatehouseServer.start(
        GatehouseServer.Options(
          isDevelopment: false,
          arguments: [
            "--public-url", Production.publicURL, "--set", "blockingFunctions.seconds=60",
          ], environment: ["GATEHOUSE_MASTER_KEY": production.masterKey]), in: folder)
      defer { server.process.kill() }
      environment["JWKS_URL"] = "\(server.baseURL)/\(production.project)/.well-known/jwks.json"
      let functions = try ChildProcess(
        try Python.path(), [Python.repository + "/Examples/Events/blocking_function.py"],
        environment: environment, folder: folder)
      defer { functions.kill() }
      #expect(try await Deadline.wait { functions.output.contains("listens") })
      let app = AppClient(baseURL: server.baseURL, apiKey: production.apiKey)
      let bob = try await app.signUp("bob@example.org", "a long password")
      #expect(bob.text.contains("Use your address at example.com."), "\(bob.text)")
      let ann = try await app.signUp("ann@example.com", "a long password")
      #expect(ann.verdict == "200", "\(ann.text) \(functions.errors)")
      let claims = try Self.claims(ann.json["idToken"])
      #expect(claims["method"] == "password")
      let token = try #require(ann.json["idToken"].string.flatMap { JWTParts($0) })
      #expect(token.header["alg"].string == algorithm)
      // Ann's address isn't verified, so the function sets no role.
      #expect(claims["role"].string == nil)
      let forged = try await HTTP.send(
        .post, "\(url)/beforeCreate", body: #"{"data":{"jwt":"a.b.c"}}"#)
      #expect(forged.status == 401)
    }
  }

  @Test func `a hook that was added over REST gets events`() async throws {
    try await Python.serve("event_receiver.py") { ready in
      let url = try #require(ready["url"].string)
      try await GatehouseServer.with { server in
        let administrator = Administrator(baseURL: server.baseURL)
        let added = try await administrator.call(
          .post, "hooks", ["url": .string(url)], version: "v2")
        let id = try #require(added.json["name"].string?.split(separator: "/").last)
        let secret: String = try #require(added.json["secret"].string)
        _ = try await HTTP.send(.post, url + "secret", body: secret)
        let tested = try await administrator.call(.post, "hooks/\(id):test", [:], version: "v2")
        #expect(tested.json["healthy"] == true, "\(tested.text)")
        _ = try await server.app.signUp(Unique.email(), "a long password")
        let hasArrived = try await Deadline.wait {
          try await HTTP.get(url).json["events"].array.contains { $0["type"] == "account.created" }
        }
        #expect(hasArrived)
        #expect(try await HTTP.get(url).json["refused"].array.isEmpty)
      }
    }
  }
}
