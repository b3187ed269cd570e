import Foundation
import Testing

/// Deletion with a receipt, a grace period and an export before it, against the real server.
@Suite struct AccountDeletionTests {
  @Test func `a user exports everything, deletes the account, and gets a receipt`() async throws {
    try await GatehouseServer.with { server in
      let person = try await server.providers.person(email: Unique.email(), givenName: "Ann")
      let signedIn = try await server.app.signIn(
        try await server.providers.apple(person).credential)
      let idToken = try #require(signedIn.json["idToken"].string)
      let exported = try await HTTP.send(
        .get, "\(server.baseURL)/v1/accounts:export?key=any-key",
        headers: [("authorization", "Bearer \(idToken)")])
      #expect(exported.status == 200)
      #expect(exported.json["account"]["id"] == signedIn.json["localId"])
      #expect(exported.json["identities"][0]["provider"] == "apple.com")
      #expect(!exported.text.contains(idToken))

      let deleted = try await server.app.call("delete", ["idToken": .string(idToken)])
      let receipt = try #require(JWTParts(deleted.json["receipt"].string ?? "")).claims
      #expect(receipt["deletion"]["state"] == "erased")
      #expect(receipt["deletion"]["identities"][0] == "apple.com")
      #expect(try await server.app.lookup(idToken).verdict == "400 USER_NOT_FOUND")
    }
  }

  @Test func `in the grace period a sign-in, or the operator, keeps the account`() async throws {
    try await Production.with { production, server, _ in
      let app = AppClient(baseURL: server.baseURL, apiKey: production.apiKey)
      _ = try await production.command("projects", "set", "my-app", "deletionGraceDays=30")
      let password = try production.folder.write("password", "a long password\n")
      for name in ["ann", "bob"] {
        _ = try await production.command(
          "users", "create", "--uid", name, "--email", "\(name)@example.com", "--password-file",
          password)
        let idToken = try await app.signIn("\(name)@example.com", "a long password")
          .json["idToken"]
        // The policy is in force a second after the command at the latest.
        let isScheduled = try await Deadline.wait {
          try await production.command("projects", "show", "my-app").output
            .contains("deletionGraceDays")
        }
        #expect(isScheduled)
        let deleted = try await app.call("delete", ["idToken": idToken])
        #expect(deleted.json["deletionScheduledFor"].string != nil)
        #expect(try await app.lookup(idToken.string ?? "").verdict == "400 TOKEN_EXPIRED")
        let shown = try await production.command("users", "show", name)
        #expect(shown.output.contains("erased on"))
      }
      #expect(try await app.signIn("ann@example.com", "a long password").status == 200)
      let kept = try await production.command("users", "keep", "bob")
      #expect(kept.output == "bob is kept.\n")
      for name in ["ann", "bob"] {
        let shown = try await production.command("users", "show", name)
        #expect(!shown.output.contains("erased on"))
      }
      let again = try await production.command("users", "keep", "bob")
      #expect(again.status != 0)
      #expect(again.errors.contains("The account is not going to be deleted"))
    }
  }

  @Test func `an operator prints what is stored about a user`() async throws {
    try await Production.with { production, _, _ in
      _ = try await production.command(
        "users", "create", "--uid", "ann", "--email", "ann@example.com")
      let data = try await production.command("users", "data", "ann")
      let json = JSON(reading: Data(data.output.utf8))
      #expect(json["account"]["email"] == "ann@example.com")
      #expect(json["format"] == "gatehouse-account/1")
    }
  }
}
