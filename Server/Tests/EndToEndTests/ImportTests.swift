import Foundation
import Testing

/// Google's Admin SDK imports users.
@Suite(.developmentServer)
struct AdminSDKImportTests {
  @Test func `Google's Admin SDK imports users with all of its hash algorithms`() async throws {
    try await Python.run("admin_import.py", environment: try suiteServer().clientEnvironment)
  }
}

/// `gatehouse import` and `export`, on a database that a server uses.
@Suite struct ImportCommandTests {
  /// The hash parameters and the account of the README of firebase/scrypt.
  private static let hashConfig = """
    hash_config {
      algorithm: SCRYPT,
      base64_signer_key: jxspr8Ki0RYycVU8zykbdLGjFQ3McFUH0uiiTvC8pVMXAn210wjLNmdZJzxUECKbm0QsEmYUSDzZvpjeJ9WmXA==,
      base64_salt_separator: Bw==,
      rounds: 8,
      mem_cost: 14,
    }
    """
  private static let password = "user1password"

  /// A file as `firebase auth:export` writes it: objects over many lines. The password is the
  /// README's.
  private static let json = """
    {"users": [{
      "localId": "ann",
      "email": "ann@example.com",
      "emailVerified": true,
      "passwordHash": "lSrfV15cpx95/sZS2W9c9Kp6i/LVgQNDNC/qzrCnh1SAyZvqmZqAjTdn3aoItz+VHjoZilo78198JAdRuid5lQ==",
      "salt": "42xEC+ixf3L2lw==",
      "displayName": "Ann \\"A, B\\" {[}",
      "lastSignedInAt": "1500000001000",
      "createdAt": "1500000000000",
      "customAttributes": "{\\"role\\":\\"editor\\"}",
      "providerUserInfo": []
    },
    {
      "localId": "bob",
      "email": "bob@example.com",
      "emailVerified": false,
      "createdAt": "1500000000000",
      "phoneNumber": "+15555550100",
      "disabled": true,
      "providerUserInfo": [
        {"providerId": "google.com", "rawId": "g-bob", "email": "bob@gmail.com"}
      ]
    }]}
    """
  private static let csv = """
    ann,ann@example.com,true,\
    lSrfV15cpx95/sZS2W9c9Kp6i/LVgQNDNC/qzrCnh1SAyZvqmZqAjTdn3aoItz+VHjoZilo78198JAdRuid5lQ==,\
    42xEC+ixf3L2lw==,"Ann "A, B" {[}",,,,,,,,,,,,,,,,,,1500000000000,1500000001000,,\
    ,"{""role"":""editor""}",
    bob,bob@example.com,false,,,,,g-bob,bob@gmail.com,,,,,,,,,,,,,,,1500000000000,,+15555550100,\
    true,,

    """

  /// The same users as firebase-tools 15.19 and later write them: with doubled quotes, and 24 more
  /// columns. Ann has an identity of Apple.
  private static let newerCSV = """
    ann,ann@example.com,true,\
    lSrfV15cpx95/sZS2W9c9Kp6i/LVgQNDNC/qzrCnh1SAyZvqmZqAjTdn3aoItz+VHjoZilo78198JAdRuid5lQ==,\
    42xEC+ixf3L2lw==,"Ann ""A, B"" {[}",,,,,,,,,,,,,,,,,,1500000000000,1500000001000,,\
    ,"{""role"":""editor""}",a-ann\(String(repeating: ",", count: 24))
    bob,bob@example.com,false,,,,,g-bob,bob@gmail.com,,,,,,,,,,,,,,,1500000000000,,+15555550100,\
    true\(String(repeating: ",", count: 26))

    """

  @Test(arguments: [("users.json", json), ("users.csv", csv), ("newer.csv", newerCSV)])
  func `Firebase's export is imported beside a running server, and its users sign in`(
    name: String, text: String
  ) async throws {
    try await Production.with { production, server, administrator in
      let file = try production.folder.write(name, text)
      let config = try production.folder.write("hash.txt", Self.hashConfig)
      let done = try await production.command("import", file, "--hash-config", config)
      #expect(done.output == "2 imported, 0 existed already, 0 not imported.\n", "\(done.errors)")
      #expect(done.status == 0)
      let app = AppClient(baseURL: server.baseURL, apiKey: production.apiKey)
      let wrong = try await app.signIn("ann@example.com", Self.password + "x")
      #expect(wrong.verdict == "400 INVALID_LOGIN_CREDENTIALS")
      for _ in 0..<2 {
        let signedIn = try await app.signIn("ann@example.com", Self.password)
        #expect(signedIn.json["localId"].string == "ann")
      }
      let ann = try await administrator.account("ann")
      #expect(ann["displayName"].string == #"Ann "A, B" {[}"#)
      #expect(ann["customAttributes"].string == #"{"role":"editor"}"#)
      #expect(ann["createdAt"].string == "1500000000000")
      let bob = try await administrator.account("bob")
      #expect(bob["disabled"].bool == true)
      #expect(bob["phoneNumber"].string == "+15555550100")
      #expect(bob["providerUserInfo"][0]["rawId"].string == "g-bob")
      // A second run, as after an interruption, changes no account.
      let again = try await production.command("import", file, "--hash-config", config)
      #expect(again.output == "0 imported, 2 existed already, 0 not imported.\n")
    }
  }

  @Test func `exported accounts are imported into another project, and its users sign in`()
    async throws
  {
    try await Production.with { production, server, _ in
      let file = try production.folder.write("users.json", Self.json)
      let config = try production.folder.write("hash.txt", Self.hashConfig)
      _ = try await production.command("import", file, "--hash-config", config)
      let app = AppClient(baseURL: server.baseURL, apiKey: production.apiKey)
      // An account with Gatehouse's own password hash, beside those with Firebase's.
      #expect(try await app.signUp("cid@example.com", "a password of ours").status == 200)

      let target = production.folder.path + "/out.json"
      let done = try await production.command("export", target, "--with-password-hashes")
      #expect(done.status == 0, "\(done.errors)")
      #expect(done.output.contains("3 accounts of my-app exported"))
      let files = [target, production.folder.path + "/out.2.json"]
      for path in files + files.map({ $0 + ".hash" }) {
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions]
        #expect((mode as? NSNumber)?.intValue == 0o600, "\(path)")
      }

      let made = try await production.command(
        "projects", "create", "other-app", "--public-url", Production.publicURL)
      let key = try #require(
        made.output.split(whereSeparator: \.isWhitespace).first { $0.hasPrefix("gk_") })
      for path in files {
        let imported = try await production.command(
          "import", path, "--hash-config", path + ".hash", "--project", "other-app")
        #expect(imported.status == 0, "\(imported.errors)")
      }
      let other = AppClient(baseURL: server.baseURL, apiKey: String(key))
      #expect(try await other.signIn("ann@example.com", Self.password).status == 200)
      #expect(try await other.signIn("cid@example.com", "a password of ours").status == 200)
      let refused = try await other.signIn("cid@example.com", Self.password)
      #expect(refused.verdict == "400 INVALID_LOGIN_CREDENTIALS")
      // An existing file isn't overwritten.
      let twice = try await production.command("export", target, "--project", "my-app")
      #expect(twice.status != 0)
      #expect(twice.errors.contains("exists already"))
      // The key to the hashes of an earlier export isn't, either.
      try FileManager.default.moveItem(atPath: target, toPath: target + ".moved")
      let parameters = FileManager.default.contents(atPath: target + ".hash")
      let third = try await production.command(
        "export", target, "--with-password-hashes", "--project", "my-app")
      #expect(third.status == 1)
      #expect(third.errors.contains("\(target).hash exists already"))
      #expect(FileManager.default.contents(atPath: target + ".hash") == parameters)
    }
  }

  @Test func `without the flag an export holds no hash`() async throws {
    try await TemporaryFolder.with { folder in
      let production = try await Production.make(in: folder)
      let config = try folder.write("hash.txt", Self.hashConfig)
      _ = try await production.command(
        "import", try folder.write("users.json", Self.json), "--hash-config", config)
      for name in ["plain.json", "plain.csv"] {
        let done = try await production.command("export", folder.path + "/" + name)
        #expect(done.status == 0, "\(done.errors)")
        let text = try String(contentsOfFile: folder.path + "/" + name, encoding: .utf8)
        #expect(text.contains("ann@example.com") && text.contains("g-bob"))
        #expect(!text.contains("lSrfV15cpx95") && !text.contains("42xEC"))
        #expect(!FileManager.default.fileExists(atPath: folder.path + "/\(name).hash"))
      }
    }
  }

  @Test func `failed rows are named by their line, and the others are imported`() async throws {
    try await TemporaryFolder.with { folder in
      let production = try await Production.make(in: folder)
      let file = try folder.write(
        "users.json",
        """
        {"users": [
        {"localId": "a", "email": "a@example.com"},
        {"localId": "b", "email": "A@example.com"},
        {"localId": "c", "passwordHash": "AQID"},
        {"localId": "d", "emailVerified": "perhaps"},
        {"localId": "e", "mfaInfo": [{"totpInfo": {}}]},
        {"email": "f@example.com"},
        {"localId": "g"}
        ]}
        """)
      let wanted = [
        "line 3: b: email exists in other account in database",
        "line 4: c: it has a password hash, but no hash parameters are given: give --hash-config "
          + "FILE with the console's \"Password hash parameters\"",
        "line 5: Invalid value at 'emailVerified' (TYPE_BOOL)",
        "line 6: e: mfaInfo has an authenticator app, whose secret can't be imported: its user has to "
          + "enroll it again",
        "line 7: localId is missing",
      ]
      let trial = try await production.command("import", file, "--dry-run")
      #expect(
        trial.output
          == "Nothing was written. 2 could be imported, 0 existed already, 5 not imported.\n")
      #expect(trial.status == 2)
      let done = try await production.command("import", file)
      #expect(done.status == 2)
      #expect(done.output == "2 imported, 0 existed already, 5 not imported.\n")
      let report = try String(contentsOfFile: file + ".failures", encoding: .utf8)
      #expect(Set(report.split(separator: "\n").map(String.init)) == Set(wanted))
      for line in wanted { #expect(done.errors.contains(line)) }
    }
  }

  @Test func `an incomplete file is imported as far as it goes, and run again`() async throws {
    try await TemporaryFolder.with { folder in
      let production = try await Production.make(in: folder)
      let users = (0..<2500).map { #"{"localId":"u\#($0)"}"# }
      let whole = "{\"users\":[\n" + users.joined(separator: ",\n") + "\n]}"
      let cut = try folder.write("users.json", String(whole.prefix(whole.count * 2 / 3)))
      let broken = try await production.command("import", cut)
      #expect(broken.status == 1)
      #expect(broken.errors.contains("the file is incomplete"))
      _ = try folder.write("users.json", whole)
      let done = try await production.command("import", cut)
      #expect(done.status == 0)
      let words = done.output.split(separator: " ")
      let (imported, kept) = (try #require(Int(words[0])), try #require(Int(words[2])))
      #expect(imported > 0 && kept > 1000 && imported + kept == 2500)
    }
  }

  static let refusals: [([String], String)] = [
    (["users.txt"], "--format json or --format csv"),
    (["nowhere.json"], "can't be read"),
    (["users.json", "--hash-algorithm", "ARGON2"], "ARGON2 isn't supported"),
    (["users.json", "--hash-algo", "SHA256"], "rounds is missing"),
    (["users.json", "--hash-algorithm", "SHA256", "--rounds", "9000"], "between 1 and 8192"),
    (["users.json", "--hash-algorithm", "HMAC_MD5"], "signerKey"),
    (["users.json", "--hash-config", "users.json"], "not in the console's format"),
    (["users.json", "--hash-input-order", "UP"], "one of SALT_FIRST, PASSWORD_FIRST"),
    (["users.json", "--project", "none"], "there is no project “none”"),
  ]

  @Test func `wrong arguments are reported with a remedy`() async throws {
    try await TemporaryFolder.with { folder in
      let production = try await Production.make(in: folder)
      _ = try folder.write("users.json", #"{"users":[{"localId":"a"}]}"#)
      for (arguments, words) in Self.refusals {
        let done = try await Command.run(
          ["import"] + arguments + ["--data", folder.path + "/data"],
          environment: ["GATEHOUSE_MASTER_KEY": production.masterKey], in: folder)
        #expect(done.status != 0)
        #expect(done.errors.contains(words), "\(arguments): \(done.errors)")
      }
      let listed = try await production.command("users", "list")
      #expect(listed.errors.contains("0 of 0 accounts."))
    }
  }
}
