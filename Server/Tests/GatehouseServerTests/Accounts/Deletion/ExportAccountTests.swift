import Foundation
import GatehouseServer
import GatehouseProtocol
import Testing

@Suite struct ExportAccountTests {
  @Test func `a user exports their own account`() async throws {
    try await withWorld { world in
      let ann = try await world.signIn(identity(.google, email: "ann@example.com")).signedIn()
      _ = try await world.signIn(identity(.google, email: "ann@example.com"))
      let export = try await world.accounts.export(
        idToken: ann.tokens.idToken, in: world.project, now: world.now)
      #expect(export.account.uid == ann.account.uid)
      #expect(export.sessions.count == 2)
      #expect(export.sessions.allSatisfy { $0.uid == ann.account.uid })
    }
  }

  @Test(arguments: [(299.0, true), (301, false)])
  func `the sign-in must be recent`(_ age: Double, _ isTaken: Bool) async throws {
    try await withWorld { world in
      let ann = try await world.signUp("ann@example.com")
      world.advance(age)
      let export = { () async throws in
        _ = try await world.accounts.export(
          idToken: ann.tokens.idToken, in: world.project, now: world.now)
      }
      if isTaken {
        try await export()
      } else {
        await #expect(throws: AccountsError.credentialTooOld) { try await export() }
      }
    }
  }

  @Test func `work that is queued for the account is listed`() async throws {
    try await withWorld { world in
      let ann = try await world.signIn(identity(.facebook, "1001")).signedIn()
      _ = try await world.signIn(
        identity(.google), linkingTo: ann.tokens.idToken)
      _ = try await world.update(ann.tokens.idToken) { $0.unlinkedProviders = [.facebook] }
      let export = try await world.accounts.exportAccount(
        ann.account.uid, in: world.project, now: world.now)
      #expect(export.queued == [.revoke])
    }
  }

  @Test func `an administrator's export of an unknown account finds no user`() async throws {
    try await withWorld { world in
      await #expect(throws: AccountsError.userNotFound) {
        try await world.accounts.exportAccount(
          try uid("nobody"), in: world.project, now: world.now)
      }
    }
  }
}
