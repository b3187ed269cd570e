import Foundation
import GatehouseAccounts
import GatehouseModel
import Testing

/// A code for another address after sessions of its account ended. `DeviceSessionsTests` of
/// `GatehouseAPITests` are about the rest.
@Suite struct DeviceSessionsTests {
  @Test func `ending another session invalidates the code that it requested`() async throws {
    try await withWorld { world in
      let (ann, thief, code) = try await theft(in: world)
      try await world.accounts.endSession(
        thief.session.id, idToken: ann.tokens.idToken, in: world.project, now: world.now)
      try await expectInvalid(code, of: ann, in: world)
    }
  }

  @Test func `ending the other sessions invalidates the code that one of them requested`()
    async throws
  {
    try await withWorld { world in
      let (ann, _, code) = try await theft(in: world)
      let count = try await world.accounts.endOtherSessions(
        idToken: ann.tokens.idToken, in: world.project, now: world.now)
      #expect(count == 1)
      try await expectInvalid(code, of: ann, in: world)
    }
  }

  @Test func `a code is invalidated although its session has signed out meanwhile`() async throws {
    try await withWorld { world in
      let (ann, thief, code) = try await theft(in: world)
      try await world.accounts.endSession(
        thief.session.id, idToken: thief.tokens.idToken, in: world.project, now: world.now)
      let count = try await world.accounts.endOtherSessions(
        idToken: ann.tokens.idToken, in: world.project, now: world.now)
      #expect(count == 0)
      try await expectInvalid(code, of: ann, in: world)
    }
  }

  @Test(arguments: [true, false])
  func `an administrator who ends sessions invalidates the code`(_ endsAll: Bool) async throws {
    try await withWorld { world in
      let (ann, thief, code) = try await theft(in: world)
      let count = try await world.accounts.endSessions(
        endsAll ? nil : [thief.session.id], of: ann.account.uid, in: world.project, now: world.now)
      #expect(count == (endsAll ? 2 : 1))
      try await expectInvalid(code, of: ann, in: world)
    }
  }

  @Test func `a user who ends their own session can still use the code`() async throws {
    try await withWorld { world in
      let (_, requester, code) = try await theft(in: world)
      try await world.accounts.endSession(
        requester.session.id, idToken: requester.tokens.idToken, in: world.project, now: world.now)
      #expect(try await world.apply(code).email?.text == "other@example.com")
    }
  }

  @Test func `ending another session leaves the codes of other accounts and purposes`()
    async throws
  {
    try await withWorld { world in
      let (ann, thief, _) = try await theft(in: world)
      let bob = try await world.signUp("bob@example.com")
      let change = try await world.sent(
        .emailChange(of: .idToken(bob.tokens.idToken), to: try email("new@example.com")),
        to: "new@example.com")
      let verification = try await world.sent(
        .emailVerification(of: .idToken(ann.tokens.idToken)), to: "ann@example.com")
      try await world.accounts.endSession(
        thief.session.id, idToken: ann.tokens.idToken, in: world.project, now: world.now)
      #expect(try await world.apply(change).email?.text == "new@example.com")
      #expect(try await world.apply(verification).isEmailVerified)
    }
  }

  /// A user with two sessions. The second one requested the code, for `other@example.com`.
  private func theft(
    in world: World
  ) async throws -> (user: SignedIn, thief: SignedIn, code: String) {
    let user = try await world.signUp("ann@example.com")
    let thief = try await world.signIn("ann@example.com")
    let code = try await world.sent(
      .emailChange(of: .idToken(thief.tokens.idToken), to: try email("other@example.com")),
      to: "other@example.com")
    return (user, thief, code)
  }

  private func expectInvalid(_ code: String, of user: SignedIn, in world: World) async throws {
    await #expect(throws: AccountsError.invalidActionCode) { try await world.apply(code) }
    #expect(try await world.stored(user.account.uid).email?.text == "ann@example.com")
  }
}
