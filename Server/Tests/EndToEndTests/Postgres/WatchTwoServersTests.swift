import Foundation
import Testing

/// Two servers over one database: a device that watches one server receives events of the other.
@Suite struct WatchTwoServersTests {
  @Test
  func `what happens at one server is told at the other, also after the first one's sudden end`()
    async throws
  {
    try await TemporaryFolder.with { folder in
      let database = try TestDatabase.make()
      let options = database.options([])
      let first = try await GatehouseServer.start(options, in: folder)
      defer { first.process.kill() }
      let second = try await GatehouseServer.start(options, in: folder)
      defer { second.process.kill() }
      let email = Unique.email()
      let signedUp = try await first.app.signUp(email, "a long password")
      let idToken = try #require(signedUp.json["idToken"].string)
      let uid = try #require(signedUp.json["localId"].string)
      let stream = try EventStream(second.app, idToken, in: folder)
      defer { stream.close() }
      #expect(try await stream.has("ready"))
      _ = try await first.app.call("update", ["idToken": .string(idToken), "displayName": "Ann"])
      #expect(try await stream.has("account.profile_changed"))
      // The killed server may be the one that gives events their places in the log.
      try await first.killHard()
      let deleted = try await second.administrator.call(
        .post, "accounts:delete", ["localId": .string(uid)])
      #expect(deleted.status == 200, "\(deleted.text)")
      #expect(try await stream.has("signed_out"))
      #expect(stream.types.suffix(2) == ["account.deleted", "signed_out"])
    }
  }
}
