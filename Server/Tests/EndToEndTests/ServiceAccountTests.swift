import CryptoExtras
import Foundation
import Testing

/// Custom tokens that Google's Admin SDK creates for an emulator.
@Suite(.developmentServer)
struct EmulatorCustomTokenTests {
  @Test func `the SDK's custom tokens sign in with the emulator variable`() async throws {
    try await Python.run("admin_custom_tokens.py", environment: try suiteServer().clientEnvironment)
  }
}

/// Service accounts from the command line to Google's Admin SDK, in production.
@Suite struct ServiceAccountTests {
  private static let backend = "backend@my-app.iam.gserviceaccount.com"

  @Test func `Google's Admin SDK administers and signs custom tokens with our file`() async throws {
    try await Production.with { production, server, _ in
      let both = try await production.serviceAccount("backend", "customTokens", "admin")
      let limited = try await production.serviceAccount("signer", "customTokens")
      var environment = server.clientEnvironment
      environment["FIREBASE_AUTH_EMULATOR_HOST"] = nil
      environment["GATEHOUSE_PROJECT"] = production.project
      environment["GATEHOUSE_API_KEY"] = production.apiKey
      environment["GATEHOUSE_ISSUER_PREFIX"] = Production.publicURL + "/"
      environment["GATEHOUSE_SERVICE_ACCOUNT"] = both
      environment["GATEHOUSE_CUSTOM_TOKENS_ACCOUNT"] = limited
      try await Python.run("admin_service_account.py", environment: environment)
    }
  }

  @Test func `only its owner can read the file, and it never replaces another`() async throws {
    try await TemporaryFolder.with { folder in
      let production = try await Production.make(in: folder)
      let path = try await production.serviceAccount("backend", "customTokens")
      let attributes = try FileManager.default.attributesOfItem(atPath: path)
      #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o600)
      let contents = try Data(contentsOf: URL(fileURLWithPath: path))
      let file = try #require(
        try JSONSerialization.jsonObject(with: contents) as? [String: String])
      #expect(file["type"] == "service_account")
      #expect(file["project_id"] == "my-app")
      #expect(file["client_email"] == Self.backend)
      #expect(file["token_uri"] == "https://auth.example.com/token")
      #expect(file["private_key"]?.hasPrefix("-----BEGIN PRIVATE KEY-----\n") == true)

      let again = try await production.command(
        "service-accounts", "create", "other", "--output", path)
      #expect(again.status == 1)
      #expect(again.errors.contains("there is a file at \(path) already; it was not replaced"))
      #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == contents)
      let listed = try await production.command("service-accounts", "list")
      #expect(listed.lines.count == 2)
    }
  }

  @Test func `a refused account leaves no file behind`() async throws {
    try await TemporaryFolder.with { folder in
      let production = try await Production.make(in: folder)
      _ = try await production.serviceAccount("backend", "customTokens")
      let path = folder.path + "/second.json"
      let again = try await production.command(
        "service-accounts", "create", "backend", "--output", path)
      #expect(again.status == 1)
      #expect(again.errors.contains("The service account already exists"))
      #expect(!FileManager.default.fileExists(atPath: path))
    }
  }

  @Test func `roles are granted and revoked, and keys are added and deleted`() async throws {
    try await TemporaryFolder.with { folder in
      let production = try await Production.make(in: folder)
      _ = try await production.serviceAccount("backend", "customTokens")
      let granted = try await production.command(
        "service-accounts", "grant", Self.backend, "admin")
      #expect(granted.lines == ["\(Self.backend)  customTokens, admin"])
      let revoked = try await production.command(
        "service-accounts", "revoke", Self.backend, "customTokens")
      #expect(revoked.lines == ["\(Self.backend)  admin"])

      let made = try await production.command(
        "service-accounts", "keys", "create", Self.backend, "--output", folder.path + "/2.json")
      let key = try #require(made.lines.first)
      let deleted = try await production.command(
        "service-accounts", "keys", "delete", Self.backend, key, "--yes")
      #expect(deleted.lines == ["Deleted \(key) of \(Self.backend)."])
      let left = try await production.command("service-accounts", "keys", "list", Self.backend)
      #expect(left.lines.count == 2)
      #expect(!left.output.contains(key))

      let gone = try await production.command("service-accounts", "delete", Self.backend, "--yes")
      #expect(gone.lines == ["Deleted \(Self.backend)."])
      let unknown = try await production.command(
        "service-accounts", "grant", Self.backend, "admin")
      #expect(unknown.status == 1)
      #expect(unknown.errors.contains("There is no such service account"))
    }
  }

  /// Such a key signs users in also when the administrator's hour is over.
  @Test func `the keys that a deleted administrator added are named, and deleted by one command`()
    async throws
  {
    try await Production.with { production, server, _ in
      let made = try await production.command("admin-keys", "create")
      let token = try #require(made.lines.first)
      let key = try _RSA.Signing.PrivateKey(keySize: .bits2048).publicKey.pemRepresentation
      let uploaded = try await HTTP.post(
        "\(server.baseURL)/v1/projects/my-app/serviceAccounts/left@example.com/keys:upload",
        ["publicKeyData": .string(Data(key.utf8).base64EncodedString())],
        headers: [("authorization", "Bearer \(token)")])
      #expect(uploaded.status == 200, "\(uploaded.text)")
      let id = try #require(uploaded.json["name"].string?.split(separator: "/").last)
      let name = String(token.prefix(12))
      let listed = try await production.command("admin-keys", "list")
      #expect(listed.output.contains(name + "…"))

      let deleted = try await production.command("admin-keys", "delete", name, "--yes")
      #expect(
        deleted.output.contains("serviceAccounts/left@example.com/keys/\(id)"), "\(deleted.output)")
      let changes = try await production.command("audit", "list", "--server-log", "--by", name)
      #expect(changes.output.contains("added=\(id)"))
      let command = ["service-accounts", "keys", "delete", "--added-by", name, "--yes"]
      let revoked = try await production.command(command)
      #expect(
        revoked.lines == [
          "Deleted projects/my-app/serviceAccounts/left@example.com/keys/\(id)."
        ])
      let again = try await production.command(command)
      #expect(again.lines == ["There is no key that \(name) added."])
    }
  }

  @Test func `a private key is not accepted as a public one`() async throws {
    try await TemporaryFolder.with { folder in
      let production = try await Production.make(in: folder)
      _ = try await production.serviceAccount("backend", "customTokens")
      let path = folder.path + "/key.pem"
      try "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n"
        .write(toFile: path, atomically: true, encoding: .utf8)
      let refused = try await production.command(
        "service-accounts", "keys", "add", Self.backend, path)
      #expect(refused.status == 1)
      #expect(refused.errors.contains("This is a private key"))
    }
  }

  @Test func `a viewer's key reads and changes nothing`() async throws {
    try await Production.with { production, server, _ in
      let made = try await production.command("admin-keys", "create", "--role", "viewer")
      let viewer = Administrator(
        baseURL: server.baseURL, token: try #require(made.lines.first),
        project: production.project)
      let body: JSON = ["localId": ["x"]]
      #expect(try await viewer.call(.post, "accounts:lookup", body).status == 200)
      #expect(try await viewer.call(.post, "accounts", [:]).status == 403)
      let listed = try await production.command("admin-keys", "list")
      #expect(listed.output.contains("viewer"))
      try await Python.run(
        "admin_viewer.py",
        environment: [
          "GATEHOUSE_BASE": server.baseURL, "GATEHOUSE_PROJECT": production.project,
          "GATEHOUSE_ADMIN_KEY": try #require(made.lines.first),
        ])
    }
  }
}

extension Production {
  /// Creates a service account with these roles.
  ///
  /// - Returns: The path of its file.
  func serviceAccount(_ name: String, _ roles: String...) async throws -> String {
    let path = "\(folder.path)/\(name).json"
    let made = try await Command.run(
      ["service-accounts", "create", name, "--output", path, "--data", folder.path + "/data"]
        + roles.flatMap { ["--role", $0] },
      environment: ["GATEHOUSE_MASTER_KEY": masterKey], in: folder)
    guard made.status == 0 else { throw ClientFailure("service-accounts create: \(made.errors)") }
    return path
  }
}
