import Foundation
import GatehouseServer
import GatehouseProtocol
import Testing

@Suite struct ApplyActionCodeTests {
  /// Requests a change of a signed-in account's address, and returns the code that the new address
  /// gets.
  private func change(
    _ world: World, _ signedIn: SignedIn, to address: String
  ) async throws -> String {
    try await world.sent(
      .emailChange(of: .idToken(signedIn.tokens.idToken), to: try email(address)), to: address)
  }

  @Test func `a code verifies the address and ends no session`() async throws {
    try await withWorld { world in
      let ann = try await world.signUp("ann@example.com")
      let request = ActionCodeRequest.emailVerification(of: .idToken(ann.tokens.idToken))
      let earlier = try await world.sent(request, to: "ann@example.com")
      let code = try await world.sent(request, to: "ann@example.com")
      let account = try await world.apply(code)
      #expect(account.isEmailVerified)
      _ = try await world.refresh(ann.tokens.refreshToken)
      for used in [code, earlier] {
        await #expect(throws: AccountsError.invalidActionCode) { try await world.apply(used) }
      }
    }
  }

  @Test func `a code for the former address doesn't verify the new one`() async throws {
    try await withWorld { world in
      let ann = try await world.signUp("ann@example.com")
      let code = try await world.sent(
        .emailVerification(of: .idToken(ann.tokens.idToken)), to: "ann@example.com")
      _ = try await world.administer(ann.account.uid) {
        $0.profile.email = .set(try email("new@example.com"))
      }
      await #expect(throws: AccountsError.emailNotFound) { try await world.apply(code) }
      #expect(try await !world.stored(ann.account.uid).isEmailVerified)
      _ = try await world.administer(ann.account.uid) {
        $0.profile.email = .set(try email("ann@example.com"))
      }
      await #expect(throws: AccountsError.emailNotFound) { try await world.apply(code) }
      #expect(try await !world.stored(ann.account.uid).isEmailVerified)
    }
  }

  @Test func `a changed address is verified, and every session ends`() async throws {
    try await withWorld({ $0.protectsEmails = true }) { world in
      let ann = try await world.accountVerifiedByCode("ann@example.com")
      let account = try await world.apply(
        try await change(world, ann, to: "new@example.com"))
      #expect(account.email?.text == "new@example.com")
      #expect(account.isEmailVerified)
      await #expect(throws: AccountsError.tokenExpired) {
        try await world.refresh(ann.tokens.refreshToken)
      }
      _ = try await world.signIn("new@example.com")
    }
  }

  @Test func `an address that another account took meanwhile is rejected`() async throws {
    try await withWorld { world in
      let ann = try await world.signUp("ann@example.com")
      let code = try await change(world, ann, to: "new@example.com")
      _ = try await world.signUp("new@example.com")
      await #expect(throws: AccountsError.emailExists) { try await world.apply(code) }
      #expect(try await world.stored(ann.account.uid).email?.text == "ann@example.com")
    }
  }

  @Test func `a new password ends a change requested before`() async throws {
    try await withWorld { world in
      let ann = try await world.signUp("ann@example.com")
      let code = try await change(world, ann, to: "thief@example.com")
      _ = try await world.resetPassword(
        try await world.sent(.passwordReset(try email("ann@example.com")), to: "ann@example.com"))
      await #expect(throws: AccountsError.invalidActionCode) { try await world.apply(code) }
    }
  }

  enum Revoker: CaseIterable { case user, administrator, administratorForEarlier }

  @Test(arguments: Revoker.allCases)
  func `a revocation ends every code of the account except recovery codes`(
    _ revoker: Revoker
  ) async throws {
    try await withWorld { world in
      let former = try await world.accountVerifiedByCode("former@example.com")
      world.advance(1)
      try await world.apply(try await change(world, former, to: "ann@example.com"))
      let recovery = try #require(
        world.mailbox.mails(to: "former@example.com").last { $0.purpose == .emailRecovery })
      let ann = try await world.signIn("ann@example.com")
      let address = try email("ann@example.com")
      let reset = try await world.sent(.passwordReset(address), to: "ann@example.com")
      let link = try await world.sent(.emailSignIn(address), to: "ann@example.com")
      let verification = try await world.sent(
        .emailVerification(of: .idToken(ann.tokens.idToken)), to: "ann@example.com")
      let other = try await change(world, ann, to: "thief@example.com")
      switch revoker {
      case .user: _ = try await world.update(ann.tokens.idToken) { $0.revokesTokens = true }
      case .administrator:
        _ = try await world.administer(ann.account.uid) { $0.validSince = world.now }
      case .administratorForEarlier:
        _ = try await world.administer(ann.account.uid) { $0.validSince = World.start }
      }
      await #expect(throws: AccountsError.invalidActionCode) {
        try await world.resetPassword(reset)
      }
      await #expect(throws: AccountsError.invalidActionCode) {
        try await world.signIn(code: link, "ann@example.com")
      }
      for code in [verification, other] {
        await #expect(throws: AccountsError.invalidActionCode) { try await world.apply(code) }
      }
      #expect(try await world.apply(recovery.code).email?.text == "former@example.com")
    }
  }

  @Test func `a takeover ends a change that the account's creator requested`() async throws {
    try await withWorld { world in
      let squatter = try await world.signUp("victim@example.com")
      let code = try await change(world, squatter, to: "squatter@example.com")
      let victim = try await world.signIn(identity(.apple, email: "victim@example.com")).signedIn()
      #expect(victim.account.uid == squatter.account.uid)
      await #expect(throws: AccountsError.invalidActionCode) { try await world.apply(code) }
    }
  }

  @Test func `a code of another purpose changes nothing`() async throws {
    try await withWorld { world in
      _ = try await world.signUp("ann@example.com")
      let codes = [
        try await world.sent(.passwordReset(try email("ann@example.com")), to: "ann@example.com")
      ]
      for code in codes {
        await #expect(throws: AccountsError.invalidActionCode) { try await world.apply(code) }
      }
    }
  }
}
