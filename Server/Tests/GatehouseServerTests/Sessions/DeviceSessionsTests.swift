import Foundation
import GatehouseServer
import GatehouseProtocol
import Testing

/// A code for another address after sessions of its account ended. `DeviceSessionsTests` of
/// `EndpointTests` are about the rest.
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

  enum Ending: CaseIterable { case one, others, administrator, reuse }

  /// Otherwise "sign out that device" would end nothing: the device signs in again.
  @Test(arguments: Ending.allCases)
  func `the pending token of an ended session begins no other one`(_ ending: Ending) async throws {
    try await withWorld { world in
      let (thief, pending) = try await world.signIn(identity()).signedInWithPending()
      let ann = try await world.signIn(identity()).signedIn()
      world.advance(1)
      try await end(thief, by: ann, ending, in: world)
      await #expect(throws: AccountsError.invalidPendingToken) {
        try await world.repeatSignIn(pending)
      }
      world.advance(1)
      #expect(try await world.signIn(identity()).signedIn().account.uid == ann.account.uid)
    }
  }

  @Test(arguments: Ending.allCases)
  func `the temporary proof of an ended session's number begins no other one`(
    _ ending: Ending
  ) async throws {
    try await withWorld { world in
      let thief = try await world.signInByPhone()
      let ann = try await world.signInByPhone()
      let bob = try await world.signUp("bob@example.com")
      let proof = try await world.temporaryProof(idToken: bob.tokens.idToken)
      world.advance(1)
      try await end(thief, by: ann, ending, in: world)
      await #expect(throws: AccountsError.invalidTemporaryProof) {
        try await world.present(proof: proof)
      }
    }
  }

  private func end(
    _ thief: SignedIn, by user: SignedIn, _ ending: Ending, in world: World
  ) async throws {
    let idToken = user.tokens.idToken
    switch ending {
    case .one:
      try await world.accounts.endSession(
        thief.session.id, idToken: idToken, in: world.project, now: world.now)
    case .others:
      let count = try await world.accounts.endOtherSessions(
        idToken: idToken, in: world.project, now: world.now)
      #expect(count == 1)
    case .administrator:
      let count = try await world.accounts.endSessions(
        [thief.session.id], of: user.account.uid, in: world.project, now: world.now)
      #expect(count == 1)
    case .reuse:
      let next = try await world.refresh(thief.tokens.refreshToken)
      _ = try await world.refresh(next.tokens.refreshToken)
      world.advance(100)
      await #expect(throws: AccountsError.tokenExpired) {
        try await world.refresh(thief.tokens.refreshToken)
      }
    }
    #expect(try await world.storedSession(thief.session.id).ended != nil)
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
