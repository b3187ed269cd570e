import Foundation
import Testing

/// An operator's commands for projects, keys and apps while a server runs.
@Suite struct ProjectCommandTests {
  @Test func `a running server follows a new policy within a second`() async throws {
    try await Production.with { production, server, _ in
      var app = server.app
      app.apiKey = production.apiKey
      let signUp: JSON = ["returnSecureToken": true]
      #expect(try await app.call("signUp", signUp).verdict == "400 ADMIN_ONLY_OPERATION")
      let set = try await production.command(
        "projects", "set", "my-app", "allowsAnonymous=true", "--display-name", "My app")
      #expect(set.status == 0, "\(set.errors)")
      let isAllowed = try await Deadline.wait { [app] in
        try await app.call("signUp", signUp).status == 200
      }
      #expect(isAllowed)
      let shown = try await production.command("projects", "show", "my-app")
      #expect(shown.output.contains("allowsAnonymous=true"))
      #expect(shown.output.contains("My app"))
    }
  }

  @Test func `creating a project says which policy of consent is in force`() async throws {
    try await TemporaryFolder.with { folder in
      let production = try await Production.make(in: folder)
      for (flags, said) in [
        ([], "consent   linkConsent=off (unless the app asks: gatehouse projects set other-0 "),
        (["--link-consent", "anonymized"], "consent   linkConsent=anonymized\n"),
      ] as [([String], String)] {
        let made = try await production.command(
          ["projects", "create", "other-\(flags.count)", "--public-url", Production.publicURL]
            + flags)
        #expect(made.output.contains(said), "\(made.output) \(made.errors)")
      }
      let wrong = try await production.command(
        "projects", "create", "other-x", "--public-url", Production.publicURL, "--link-consent",
        "sometimes")
      #expect(wrong.errors.contains("--link-consent sometimes: one of off, anonymized, always"))
    }
  }

  @Test func `either all of several policies are set, or none`() async throws {
    try await TemporaryFolder.with { folder in
      let production = try await Production.make(in: folder)
      let refused = try await production.command(
        "projects", "set", "my-app", "allowsAnonymous=true", "noSuchPolicy=1")
      #expect(refused.status == 1)
      #expect(refused.errors.contains("there is no policy “noSuchPolicy”; there are "))
      let shown = try await production.command("projects", "show")
      #expect(shown.output.contains("allowsAnonymous=false"))
    }
  }

  @Test func `an app's file contains a key that the server accepts until it is deleted`()
    async throws
  {
    try await Production.with { production, server, _ in
      let file = production.folder.path + "/GoogleService-Info.plist"
      let added = try await production.command(
        "apps", "add", "--bundle-id", "com.example.app", "--apple", "--output", file)
      #expect(added.status == 0, "\(added.errors)")
      let list = try PropertyListSerialization.propertyList(
        from: try Data(contentsOf: URL(fileURLWithPath: file)), format: nil)
      let values = try #require(list as? [String: String])
      #expect(values["GATEHOUSE_URL"] == Production.publicURL)
      #expect(values["PROJECT_ID"] == "my-app")

      var app = server.app
      app.apiKey = try #require(values["API_KEY"])
      #expect(try await app.signUp(Unique.email(), "a long password").verdict == "200")
      let providers = try await production.command("providers", "list")
      #expect(providers.output.contains("com.example.app"))

      let again = try await production.command(
        "apps", "add", "--bundle-id", "com.example.app", "--output", "-")
      #expect(again.status == 1)
      #expect(again.errors.contains("The project has the app 1:"))
      let shown = try await production.command("apps", "show", "com.example.app", "--output", "-")
      #expect(shown.output == (try String(contentsOfFile: file, encoding: .utf8)))

      let kept = try await production.command("api-keys", "delete", app.apiKey, "--yes")
      #expect(kept.status == 1)
      #expect(kept.errors.contains("The key belongs to the app 1:"))
      let deleted = try await production.command("apps", "delete", "com.example.app", "--yes")
      #expect(deleted.status == 0, "\(deleted.errors)")
      let isTurnedAway = try await Deadline.wait { [app] in
        try await HTTP.get("\(server.baseURL)/v1/projects?key=\(app.apiKey)").status == 400
      }
      #expect(isTurnedAway)
    }
  }

  @Test func `an existing file is not replaced, and no app is created`() async throws {
    try await TemporaryFolder.with { folder in
      let production = try await Production.make(in: folder)
      _ = try folder.write("GoogleService-Info.plist", "mine")
      let refused = try await production.command("apps", "add", "--bundle-id", "com.example.app")
      #expect(refused.status == 1)
      #expect(refused.errors.contains("--force"))
      #expect(try await production.command("apps", "list").lines.count == 1)
    }
  }

  @Test func `an API key is created and deleted`() async throws {
    try await TemporaryFolder.with { folder in
      let production = try await Production.make(in: folder)
      let key = try #require(
        try await production.command("api-keys", "create", "--display-name", "web").lines.first)
      #expect(try await production.command("api-keys", "list").output.contains(key))
      #expect(try await production.command("api-keys", "delete", key, "--yes").status == 0)
      #expect(try await !production.command("api-keys", "list").output.contains(key))
      let again = try await production.command("api-keys", "delete", key, "--yes")
      #expect(again.status == 1)
      #expect(again.errors.contains("gatehouse api-keys list"))
    }
  }

  @Test func `a project is deleted only if somebody agrees`() async throws {
    try await TemporaryFolder.with { folder in
      let production = try await Production.make(in: folder)
      let refused = try await production.command("projects", "delete", "my-app")
      #expect(refused.status == 1)
      #expect(
        refused.errors.contains(
          "Delete the project my-app and every account in it? Nobody can be asked here: add --yes"))
      #expect(try await production.command("projects", "list").output.contains("my-app"))
      let deleted = try await production.command(
        "projects", "delete", "my-app", "--yes")
      #expect(deleted.status == 0, "\(deleted.errors)")
      #expect(try await !production.command("projects", "list").output.contains("my-app"))
    }
  }
}
