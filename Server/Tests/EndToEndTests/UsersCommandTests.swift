import Testing

/// The `gatehouse users` commands, also while a server runs on the same database.
@Suite struct UsersCommandTests {
  @Test func `an operator creates, finds, changes and deletes an account`() async throws {
    try await Production.with { production, server, _ in
      let app = AppClient(baseURL: server.baseURL, apiKey: production.apiKey)
      let password = try production.folder.write("password", "a long password\n")
      let made = try await production.command(
        "users", "create", "--email", "Ann@example.com", "--email-verified", "--password-file",
        password, "--uid", "ann", "--display-name", "Ann")
      #expect(made.output == "ann\n", "\(made.errors)")
      let session = try await app.signIn("ann@example.com", "a long password")
      #expect(session.json["localId"].string == "ann")
      let refreshToken = try #require(session.json["refreshToken"].string)

      let shown = try await production.command("users", "show", "ann@example.com")
      #expect(shown.output.contains("ann@example.com (verified)"))
      #expect(shown.output.contains("enabled"))
      let listed = try await production.command("users", "list")
      #expect(listed.lines.count == 2)
      #expect(listed.lines.last?.hasPrefix("ann  ann@example.com  enabled  password") == true)

      _ = try await production.command("users", "set-claims", "ann", "--claims", #"{"role":"x"}"#)
      let refreshed = try await app.refresh(refreshToken)
      #expect(refreshed.status == 200)
      #expect(
        (try await production.command("users", "show", "ann")).output.contains(#"{"role":"x"}"#))

      _ = try await production.command("users", "disable", "ann")
      #expect(try await app.refresh(refreshToken).verdict == "400 USER_DISABLED")
      _ = try await production.command("users", "enable", "ann")
      #expect(try await app.refresh(refreshToken).status == 200)
      _ = try await production.command("users", "revoke", "ann")
      #expect(try await app.refresh(refreshToken).verdict == "400 TOKEN_EXPIRED")

      let deleted = try await production.command("users", "delete", "ann", "--yes")
      #expect(deleted.lines.first == "Deleted ann.")
      #expect(deleted.lines.last?.hasPrefix("Receipt: ey") == true)
      let gone = try await app.signIn("ann@example.com", "a long password")
      #expect(gone.verdict == "400 INVALID_LOGIN_CREDENTIALS")
    }
  }

  @Test func `an operator removes a second factor that its user lost`() async throws {
    try await Production.with { production, _, _ in
      let file = try production.folder.write(
        "users.json",
        #"""
        {"users": [{"localId": "ann", "email": "ann@example.com", "mfaInfo": [
          {"mfaEnrollmentId": "first", "phoneInfo": "+15555550100", "displayName": "Work"},
          {"mfaEnrollmentId": "second", "phoneInfo": "+15555550101"}]}]}
        """#)
      #expect(try await production.command("import", file).status == 0)
      let listed = try await production.command("users", "factors", "ann")
      #expect(listed.lines.count == 4, "\(listed.output)")
      #expect(listed.output.contains("first   +15555550100  Work"))
      #expect(
        try await production.command("users", "show", "ann").output
          .contains("second factors  2"))
      let unknown = try await production.command("users", "factors", "ann", "--remove", "third")
      #expect(unknown.status != 0)
      #expect(unknown.errors.contains("ann has no factor or passkey “third”"))
      let one = try await production.command("users", "factors", "ann", "--remove", "first")
      #expect(one.output == "ann: 1 are removed\n")
      #expect(
        try await production.command("users", "factors", "ann", "--remove-all").output
          == "ann: 1 are removed\n")
      #expect(
        try await production.command("users", "factors", "ann").output
          == "ann has no second factor and no passkey.\n")
    }
  }

  @Test func `control characters in a user's name don't reach the operator's terminal`()
    async throws
  {
    try await Production.with { production, _, _ in
      let refused = try await production.command(
        "users", "create", "--uid", "bob", "--display-name", "A\u{1B}[2J")
      #expect(refused.status == 1)
      #expect(!refused.errors.contains("\u{1B}"))
      _ = try await production.command(
        "users", "create", "--uid", "ann", "--display-name", "A\u{202E}é")
      let shown = try await production.command("users", "show", "ann")
      #expect(shown.output.contains(#"A\u{202e}é"#), "\(shown.output)")
    }
  }

  @Test func `errors say what to do`() async throws {
    try await TemporaryFolder.with { folder in
      let production = try await Production.make(in: folder)
      let short = try folder.write("short", "12345")
      _ = try await production.command("users", "create", "--email", "a@example.com")
      let cases: [([String], String)] = [
        (["show", "nobody"], "`gatehouse users list` lists them"),
        (["delete", "nobody@example.com"], "has no account “nobody@example.com”"),
        (["create", "--email", "A@example.com"], "EMAIL_EXISTS"),
        (["create", "--email", "nobody"], "not an email address"),
        (["create", "--password-file", short], "needs --email"),
        (
          ["create", "--email", "b@example.com", "--password-file", short],
          "at least 6 characters"
        ),
        (["set-claims", "a@example.com", "--claims", "[]"], "not a JSON object"),
        (["set-claims", "a@example.com", "--claims", #"{"sub":1}"#], "FORBIDDEN_CLAIM : sub"),
        (["list", "--limit", "0"], "from 1 to 1000"),
      ]
      for (arguments, words) in cases {
        let done = try await Command.run(
          ["users"] + arguments + ["--data", folder.path + "/data"],
          environment: ["GATEHOUSE_MASTER_KEY": production.masterKey], in: folder)
        #expect(done.status != 0)
        #expect(done.errors.contains(words), "\(arguments): \(done.errors)")
      }
    }
  }
}
