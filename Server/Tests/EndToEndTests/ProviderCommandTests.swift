import Crypto
import Foundation
import Testing

/// The output and the errors of the commands that set up a provider.
@Suite struct ProviderCommandTests {
  private func withProduction(
    _ body: (Production, TemporaryFolder) async throws -> Void
  ) async throws {
    try await TemporaryFolder.with { folder in
      try await body(try await Production.make(in: folder), folder)
    }
  }

  @Test
  func `a provider's id is derived from its display name, and refused if another provider has it`()
    async throws
  {
    try await withProduction { production, _ in
      let added = try await production.command(
        "providers", "add", "--display-name", "Acmé Corp", "--issuer", "https://id.example.com",
        "--client-id", "our-app")
      #expect(added.status == 0, "\(added.errors)")
      #expect(added.output.contains("Named oidc.acme-corp, after “Acmé Corp”."))
      #expect(
        added.output.contains("  https://auth.example.com/__/auth/handler/my-app/oidc.acme-corp\n"))
      let other = try await production.command(
        "providers", "add", "--display-name", "Acme Corp", "--issuer", "https://other.example.com",
        "--client-id", "our-app")
      #expect(other.status != 0)
      #expect(
        other.errors.contains("oidc.acme-corp exists already, for https://id.example.com"))
      let nameless = try await production.command(
        "providers", "add", "--display-name", "日本", "--issuer", "https://id.example.com",
        "--client-id", "our-app")
      #expect(nameless.errors.contains("no name can be derived from “日本”"))
    }
  }

  @Test func `all faults of a provider are reported at once, by their flags`() async throws {
    try await withProduction { production, folder in
      let secret = try folder.write("secret.txt", "s3cret\n")
      let refused = try await production.command(
        "providers", "add", "oidc.a", "--issuer", "http://id.example.com", "--client-id", "",
        "--client-secret-file", secret, "--public-client")
      #expect(refused.status != 0)
      for fault in [
        "Client_id in OAuthIdpConfig cannot be empty", "It has to be https",
        "A public client has no client_secret",
      ] {
        #expect(refused.errors.contains(fault))
      }
      let taken = try await production.command(
        "providers", "add", "oidc.a", "--issuer", "https://id.example.com", "--client-id", "a",
        "--public-client")
      #expect(taken.status == 0, "\(taken.errors)")
    }
  }

  @Test func `an app that was registered before Apple was set up is an audience of Apple's tokens`()
    async throws
  {
    try await withProduction { production, folder in
      let key = try folder.write("key.p8", P256.Signing.PrivateKey().pemRepresentation)
      let added = try await production.command(
        "apps", "add", "--bundle-id", "com.example.app", "--output", "-")
      #expect(added.output.contains("<key>REVERSED_CLIENT_ID</key>\n\t<string>app-1-"))
      let set = try await production.command(
        "providers", "set", "apple", "--service-id", "com.example.web", "--team-id", "TEAM123456",
        "--key-id", "KEY1234567", "--key-file", key)
      #expect(set.status == 0, "\(set.errors)")
      #expect(
        set.output.contains("ID tokens are accepted for: com.example.web, com.example.app\n"))
      let listed = try await production.command("providers", "list")
      #expect(listed.output.contains("com.example.web com.example.app"))
    }
  }

  @Test func `an app's file never has the web client of Google as the app's own`() async throws {
    try await withProduction { production, folder in
      let secret = try folder.write("secret.txt", "s3cret")
      let set = try await production.command(
        "providers", "set", "google", "--client-id", "web.apps.example.com", "--client-secret-file",
        secret)
      #expect(set.status == 0, "\(set.errors)")
      let file = folder.path + "/GoogleService-Info.plist"
      let added = try await production.command(
        "apps", "add", "--bundle-id", "com.example.app", "--output", file)
      #expect(added.output.contains("--force --google-client-id"))
      #expect(try !String(contentsOfFile: file, encoding: .utf8).contains("web.apps.example.com"))
      let own = try await production.command(
        "apps", "show", "com.example.app", "--output", file, "--force", "--google-client-id",
        "ios.apps.example.com")
      #expect(own.output.contains("google.com doesn't accept tokens for ios.apps.example.com yet"))
      let text = try String(contentsOfFile: file, encoding: .utf8)
      #expect(text.contains("<string>com.example.apps.ios</string>"))
    }
  }

  @Test func `another client is added to a provider, listed and removed`() async throws {
    try await withProduction { production, folder in
      let secret = try folder.write("secret.txt", "s3cret")
      let arguments = [
        "providers", "clients", "set", "oidc.corp", "tablet", "--client-secret-file", secret,
      ]
      let early = try await production.command(arguments + ["--bundle-id", "com.example.tablet"])
      #expect(early.errors.contains("there is no oidc.corp yet"))
      _ = try await production.command(
        "providers", "add", "oidc.corp", "--issuer", "https://id.example.com", "--client-id",
        "first", "--client-secret-file", secret, "--response-type", "code", "--allow-parameter",
        "tenant")
      let nobody = try await production.command(arguments)
      #expect(nobody.errors.contains("name the apps that use it with --bundle-id"))
      let set = try await production.command(arguments + ["--bundle-id", "com.example.tablet"])
      #expect(set.status == 0, "\(set.errors)")
      let listed = try await production.command("providers", "clients", "list", "oidc.corp")
      #expect(listed.output.contains("tablet"))
      #expect(listed.output.contains("com.example.tablet"))
      #expect(!listed.output.contains("s3cret"))
      let both = try await production.command(
        "providers", "set", "oidc.corp", "--allow-parameter", "tenant", "--allow-parameter", "state"
      )
      #expect(
        both.errors.contains("allowedParameters cannot contain state: only the server may set it"))
      let removed = try await production.command(
        "providers", "clients", "remove", "oidc.corp", "tablet", "--yes")
      #expect(removed.status == 0, "\(removed.errors)")
      let again = try await production.command(
        "providers", "clients", "remove", "oidc.corp", "tablet")
      #expect(again.errors.contains("has no client “tablet” besides its first"))
    }
  }

  @Test func `a key replaces a secret, and its public half is printed`() async throws {
    try await withProduction { production, folder in
      let secret = try folder.write("secret.txt", "s3cret")
      let key = P256.Signing.PrivateKey()
      let pem = try folder.write("key.pem", key.pemRepresentation)
      let added = try await production.command(
        "providers", "add", "oidc.corp", "--issuer", "https://id.example.com", "--client-id",
        "our-app", "--client-secret-file", secret)
      #expect(added.status == 0, "\(added.errors)")
      let none = try await production.command("providers", "jwks", "oidc.corp")
      #expect(none.errors.contains("oidc.corp has no key"))

      let ahead = try await production.command(
        "providers", "jwks", "oidc.corp", "--private-key-file", pem, "--key-id", "key-1")
      let set = try await production.command(
        "providers", "set", "oidc.corp", "--private-key-file", pem, "--key-id", "key-1")
      #expect(set.status == 0, "\(set.errors)")
      #expect(set.output.contains("https://auth.example.com/__/auth/keys/my-app/oidc.corp"))
      #expect(!(set.output + set.errors).contains("PRIVATE KEY"))
      let printed = try await production.command("providers", "jwks", "oidc.corp")
      #expect(printed.output == ahead.output)
      let jwk = JSON(reading: Data(printed.output.utf8))["keys"][0]
      #expect(jwk["kid"] == "key-1")
      #expect(jwk["alg"] == "ES256")
      #expect(jwk["d"].isNull)

      let other = try await production.command(
        "providers", "set", "oidc.corp", "--algorithm", "RS256")
      #expect(other.errors.contains("clientKey.algorithm does not fit the key"))
      let back = try await production.command(
        "providers", "set", "oidc.corp", "--client-secret-file", secret)
      #expect(back.status == 0, "\(back.errors)")
      let gone = try await production.command("providers", "jwks", "oidc.corp")
      #expect(gone.errors.contains("oidc.corp has no key"))
    }
  }

  @Test(
    arguments: [
      (["--claim", "sub=oid"], "The subject is always sub"),
      (["--claim", "email=iss"], "neither the name of a claim about the user"),
      (["--claim", "email"], "write email, emailVerified, name or picture"),
      (["--response-mode", "web_message"], "one of query, form_post, fragment, default"),
      (["--response-mode", "query"], "an ID token must not be in a query"),
      (["--key-id", "key-1"], "give --private-key-file"),
      (["--assertion-audience", "anybody"], "one of issuer, tokenEndpoint"),
    ])
  func `an invalid setting is refused with the valid values`(
    _ arguments: [String], _ remedy: String
  ) async throws {
    try await withProduction { production, _ in
      let add = [
        "providers", "add", "oidc.corp", "--issuer", "https://id.example.com", "--client-id", "a",
      ]
      let refused = try await production.command(add + arguments)
      #expect(refused.status != 0)
      #expect(refused.errors.contains(remedy))
    }
  }

  @Test func `an existing provider is changed by its name alone`() async throws {
    try await withProduction { production, _ in
      let missing = try await production.command(
        "providers", "set", "oidc.corp", "--client-id", "b")
      #expect(missing.errors.contains("there is no oidc.corp yet"))
      _ = try await production.command(
        "providers", "add", "oidc.corp", "--issuer", "https://id.example.com", "--client-id", "a")
      let set = try await production.command(
        "providers", "set", "oidc.corp", "--client-id", "b", "--response-mode", "fragment",
        "--claim",
        "email=upn", "--claim", "picture=/profile/photo")
      #expect(set.status == 0, "\(set.errors)")
      let list = try await production.command("providers", "list")
      #expect(
        list.lines.contains {
          $0.hasPrefix("oidc.corp") && $0.contains(" b ")
            && $0.contains("https://auth.example.com/__/auth/handler/my-app/oidc.corp")
        })
    }
  }

  @Test func `setting a provider prints the URL to register`() async throws {
    try await withProduction { production, folder in
      let secret = try folder.write("secret.txt", "s3cret")
      let apple = try await production.command(
        "providers", "set", "apple", "--bundle-id", "com.example.app")
      let facebook = try await production.command(
        "providers", "set", "facebook", "--app-id", "1234567890", "--app-secret-file", secret)
      for command in [apple, facebook] {
        #expect(command.status == 0, "\(command.errors)")
        #expect(command.output.contains("  https://auth.example.com/__/auth/handler\n"))
      }
      let trusting = try await production.command(
        "providers", "set", "facebook", "--trust-email", "always")
      #expect(trusting.errors.contains("Facebook doesn't say that it verified an address"))
      let letters = try await production.command(
        "providers", "set", "facebook", "--app-id", "my-app")
      #expect(letters.errors.contains("Facebook's app ids are digits"))
      let list = try await production.command("providers", "list")
      #expect(list.lines.contains { $0.hasPrefix("facebook.com") && $0.contains("1234567890") })
    }
  }

  @Test func `GitHub and Microsoft need a client, and errors say what is missing`() async throws {
    try await withProduction { production, folder in
      let secret = try folder.write("secret.txt", "s3cret")
      let bare = try await production.command("providers", "set", "github", "--client-id", "Iv1.a")
      #expect(bare.errors.contains("client_secret cannot be empty for code flow"))
      for vendor in ["github", "microsoft"] {
        let set = try await production.command(
          "providers", "set", vendor, "--client-id", "client-1", "--client-secret-file", secret)
        #expect(set.status == 0, "\(set.errors)")
        #expect(set.output.contains("  https://auth.example.com/__/auth/handler\n"))
      }
      let domain = try await production.command(
        "providers", "set", "microsoft", "--tenant", "contoso.example.com")
      #expect(domain.errors.contains("common, organizations, consumers, or the tenant's id"))
      let tenant = try await production.command(
        "providers", "set", "microsoft", "--tenant", "organizations")
      #expect(tenant.status == 0, "\(tenant.errors)")
      let moved = try await production.command(
        "providers", "move-issuer", "microsoft.com", "--from",
        "https://login.microsoftonline.com/common/v2.0")
      #expect(moved.errors.contains("depends on the user's tenant"))
      let trusting = try await production.command(
        "providers", "set", "microsoft", "--trust-email", "always")
      #expect(trusting.errors.contains("administrators of any tenant choose"))
    }
  }

  @Test func `what is lost is asked first`() async throws {
    try await withProduction { production, _ in
      let add = [
        "providers", "add", "oidc.corp", "--issuer", "https://id.example.com", "--client-id", "a",
        "--trusted-audience", "b", "--trusted-audience", "c",
      ]
      #expect(try await production.command(add).status == 0)
      let again = try await production.command(add)
      #expect(again.status == 1)
      #expect(
        again.errors.contains("This replaces the whole configuration of oidc.corp. Continue?"))
      #expect(try await production.command(add + ["--yes"]).status == 0)
      let fewer = try await production.command(
        "providers", "set", "oidc.corp", "--trusted-audience", "b")
      #expect(fewer.errors.contains("This removes c from trustedAudiences. Continue?"))
      let more = try await production.command(
        "providers", "set", "oidc.corp", "--trusted-audience", "b", "--trusted-audience", "c",
        "--trusted-audience", "d")
      #expect(more.status == 0, "\(more.errors)")
      let removed = try await production.command("providers", "remove", "oidc.corp")
      #expect(removed.errors.contains("add --yes"))
      #expect(
        try await production.command("providers", "remove", "oidc.corp", "--yes").output
          == "Removed.\n")
      let gone = try await production.command("providers", "remove", "oidc.corp", "--yes")
      #expect(gone.errors.contains("my-app has no provider “oidc.corp”"))
    }
  }

  /// A server of production makes no requests to its own machine, so that the provider there can't be tested.
  @Test func `providers of a server in production are set, listed and tested from elsewhere`()
    async throws
  {
    try await Production.with { production, server, administrator in
      try await withServer { development, folder in
        let key = try folder.write("admin.key", administrator.token)
        let command = { (arguments: [String]) in
          try await Command.run(
            arguments + [
              "--server", server.baseURL, "--admin-key-file", key, "--project", "my-app",
            ],
            in: folder)
        }
        let p8 = try folder.write("key.p8", P256.Signing.PrivateKey().pemRepresentation)
        let apple = try await command([
          "providers", "set", "apple", "--service-id", "com.example.web", "--team-id", "TEAM123456",
          "--key-id", "KEY1234567", "--key-file", p8, "--bundle-id", "com.example.app",
        ])
        #expect(apple.status == 0, "\(apple.errors)")
        #expect(apple.output.contains("  https://auth.example.com/__/auth/handler\n"))
        let simulator = "\(development.simulatorURL)/oidc"
        let plain = try await command([
          "providers", "add", "oidc.simulator", "--issuer", simulator, "--client-id", "a",
        ])
        #expect(plain.status == 1)
        #expect(plain.errors.contains("It has to be https"))
        let document = try await command([
          "providers", "add", "oidc.corp", "--client-id", "a", "--issuer",
          "https://id.example.com/.well-known/openid-configuration",
        ])
        #expect(document.errors.contains("without /.well-known/openid-configuration"))
        // The operator of the machine may.
        let local = try await production.command(
          "providers", "add", "oidc.simulator", "--issuer", simulator, "--client-id",
          SimulatedProviders.oidcClientID)
        #expect(local.status == 0, "\(local.errors)")
        let listed = try await command(["providers", "list"])
        #expect(listed.output.contains("com.example.web com.example.app"))
        #expect(listed.output.contains("oidc.simulator"))
        let tested = try await command(["providers", "test", "oidc.simulator"])
        #expect(tested.status == 1)
        #expect(tested.output.contains("FAIL  "))
        #expect(tested.output.contains("plain http is allowed only for loopback in development"))
        let requests = try await HTTP.get("\(development.simulatorURL)/simulator/requests")
        #expect(!requests.json["counts"].names.contains { $0.hasPrefix("/oidc") })

        // The same against the server of development, whose simulator answers.
        let owner = try folder.write("owner.key", "owner")
        for provider in ["apple", "oidc.simulator"] {
          let tested = try await Command.run(
            [
              "providers", "test", provider, "--server", development.baseURL, "--admin-key-file",
              owner, "--project", "demo",
            ], in: folder)
          #expect(tested.status == 0, "\(tested.output) \(tested.errors)")
          #expect(tested.output.contains("ok    keys: "))
        }
      }
    }
  }
}
