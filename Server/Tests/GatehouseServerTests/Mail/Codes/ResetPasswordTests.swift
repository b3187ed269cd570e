import Foundation
import GatehouseServer
import GatehouseProtocol
import Testing

@Suite struct ResetPasswordTests {
  private func reset(_ world: World, _ address: String = "ann@example.com") async throws -> String {
    try await world.sent(.passwordReset(try email(address)), to: address)
  }

  @Test func `a code sets the password once and ends every session`() async throws {
    try await withWorld { world in
      let ann = try await world.signUp("ann@example.com")
      let code = try await reset(world)
      world.advance(1)
      _ = try await world.resetPassword(code)
      _ = try await world.signIn("ann@example.com", password: "freshpass")
      await #expect(throws: AccountsError.invalidPassword) {
        try await world.signIn("ann@example.com")
      }
      await #expect(throws: AccountsError.tokenExpired) {
        try await world.refresh(ann.tokens.refreshToken)
      }
      await #expect(throws: AccountsError.invalidActionCode) {
        try await world.resetPassword(code)
      }
    }
  }

  /// The user of a verified address who returns in the grace period keeps the account.
  @Test(arguments: [false, true])
  func `a deleted account's id stays with the user who deleted it`(isVerified: Bool) async throws {
    try await withWorld({ $0.deletionGraceDays = 30 }) { world in
      let ann =
        isVerified
        ? try await world.verifiedAccount("ann@example.com")
        : try await world.signUp("ann@example.com")
      let session = try await world.signIn("ann@example.com")
      _ = try await world.accounts.delete(
        idToken: session.tokens.idToken, in: world.project, now: world.now)
      _ = try await world.resetPassword(try await reset(world))
      let returned = try await world.signIn("ann@example.com", password: "freshpass")
      #expect((returned.account.uid == ann.account.uid) == isVerified)
      let stored = try await world.stored(returned.account.uid)
      #expect(stored.deletionScheduledFor == nil)
      #expect(try await world.count() == 1)
    }
  }

  @Test func `if a hundred callers use one code at once, exactly one succeeds`() async throws {
    try await withWorld { world in
      _ = try await world.signUp("ann@example.com")
      let code = try await reset(world)
      let results = await atOnce(100) { try await world.resetPassword(code, to: "fresh-\($0)") }
      #expect(results.successes().count == 1)
      #expect(results.refusals().allSatisfy { $0 == .invalidActionCode })
      #expect(results.refusals().count == 99)
    }
  }

  @Test func `the code stays valid after a weak password`() async throws {
    try await withWorld { world in
      _ = try await world.signUp("ann@example.com")
      let code = try await reset(world)
      await #expect(throws: AccountsError.weakPassword) {
        try await world.resetPassword(code, to: "12345")
      }
      _ = try await world.resetPassword(code, to: "123456")
    }
  }

  @Test func `an expired code is reported as expired`() async throws {
    try await withWorld { world in
      _ = try await world.signUp("ann@example.com")
      let code = try await reset(world)
      world.advance(3599)
      _ = try await world.accounts.actionCode(
        code, from: .unknown, in: world.project, now: world.now)
      world.advance(1)
      await #expect(throws: AccountsError.expiredActionCode) {
        try await world.resetPassword(code)
      }
    }
  }

  @Test func `with an unverified address, other credentials are removed`() async throws {
    try await withWorld { world in
      let ann = try await world.signUp("ann@example.com", name: "Ann")
      _ = try await world.signIn(
        identity(.facebook, "other"), linkingTo: ann.tokens.idToken
      ).signedIn()
      var moved = try await world.stored(ann.account.uid)
      moved.initialEmail = try email("first@example.com")
      try await world.store.write { [moved] in try $0.save(moved, in: world.project.id) }
      _ = try await world.resetPassword(try await reset(world))
      let stored = try await world.stored(ann.account.uid)
      #expect(stored.isEmailVerified)
      #expect(stored.identities.isEmpty)
      #expect(stored.initialEmail == nil)
      #expect(stored.displayName == "Ann")
    }
  }

  @Test func `with a verified address, other credentials stay`() async throws {
    try await withWorld { world in
      let ann = try await world.accountVerifiedByCode("ann@example.com")
      _ = try await world.signIn(
        identity(.facebook, "ann"), linkingTo: ann.tokens.idToken
      ).signedIn()
      _ = try await world.resetPassword(try await reset(world))
      #expect(try await world.stored(ann.account.uid).identities.map(\.provider) == [.facebook])
    }
  }

  @Test func `a code of another purpose resets nothing`() async throws {
    try await withWorld { world in
      let ann = try await world.signUp("ann@example.com")
      let code = try await world.sent(
        .emailVerification(of: .idToken(ann.tokens.idToken)), to: "ann@example.com")
      await #expect(throws: AccountsError.invalidActionCode) {
        try await world.resetPassword(code)
      }
    }
  }

  @Test func `another project's code is rejected`() async throws {
    try await withWorld { world in
      let other = try await world.otherProject()
      _ = try await world.signUp("ann@example.com")
      _ = try await world.signUp("ann@example.com", in: other)
      let code = try await reset(world)
      await #expect(throws: AccountsError.invalidActionCode) {
        try await world.resetPassword(code, in: other)
      }
      _ = try await world.resetPassword(code)
    }
  }

  @Test func `a disabled account keeps its password`() async throws {
    try await withWorld { world in
      let ann = try await world.signUp("ann@example.com")
      let code = try await reset(world)
      _ = try await world.administer(ann.account.uid) { $0.isDisabled = true }
      await #expect(throws: AccountsError.userDisabled) { try await world.resetPassword(code) }
    }
  }

  enum AddressChange: CaseIterable {
    case user, administrator, code, removal
  }

  /// As Google's service reports it.
  @Test(arguments: AddressChange.allCases)
  func `a code for a former address resets nothing, even if the account gets it back`(
    _ change: AddressChange
  ) async throws {
    try await withWorld { world in
      let ann = try await world.signUp("ann@example.com")
      let code = try await reset(world)
      switch change {
      case .user:
        _ = try await world.update(ann.tokens.idToken) {
          $0.email = .set(try email("new@example.com"))
        }
      case .administrator:
        _ = try await world.administer(ann.account.uid) {
          $0.profile.email = .set(try email("new@example.com"))
        }
      case .code:
        let request = ActionCodeRequest.emailChange(
          of: .idToken(ann.tokens.idToken), to: try email("new@example.com"))
        _ = try await world.apply(try await world.sent(request, to: "new@example.com"))
      case .removal:
        _ = try await world.administer(ann.account.uid) { $0.profile.email = .remove }
      }
      await #expect(throws: AccountsError.userNotFound) { try await world.resetPassword(code) }
      _ = try await world.administer(ann.account.uid) {
        $0.profile.email = .set(try email("ann@example.com"))
      }
      await #expect(throws: AccountsError.userNotFound) { try await world.resetPassword(code) }
    }
  }

  enum Ending: CaseIterable {
    case password, deletion, takeOver, usedSibling
  }

  @Test(arguments: Ending.allCases)
  func `a code ends when the account's credentials change`(_ ending: Ending) async throws {
    try await withWorld { world in
      let ann = try await world.signUp("ann@example.com")
      let code = try await reset(world)
      switch ending {
      case .password:
        _ = try await world.update(ann.tokens.idToken) { $0.password = .set(Secret("another1")) }
      case .deletion:
        try await world.accounts.deleteAccount(ann.account.uid, in: world.project, now: world.now)
        _ = try await world.signUp("ann@example.com")
      case .takeOver:
        _ = try await world.signIn(identity(.apple, email: "ann@example.com")).signedIn()
      case .usedSibling: _ = try await world.resetPassword(try await reset(world))
      }
      await #expect(throws: AccountsError.invalidActionCode) {
        try await world.resetPassword(code)
      }
    }
  }

  @Test func `empty, forged and oversized texts are rejected`() async throws {
    try await withWorld { world in
      for text in ["", "made-up", String(repeating: "A", count: 100_000)] {
        await #expect(throws: AccountsError.invalidActionCode) {
          try await world.resetPassword(text)
        }
      }
    }
  }

  @Test func `forged codes count as attempts for every purpose`() async throws {
    try await withWorld({ $0.rateLimits.failuresPerAddress = 3 }) { world in
      _ = try await world.signUp("ann@example.com")
      let code = try await reset(world)
      await #expect(throws: AccountsError.invalidActionCode) {
        try await world.resetPassword("made-up")
      }
      await #expect(throws: AccountsError.invalidActionCode) { try await world.apply("made-up") }
      await #expect(throws: AccountsError.invalidActionCode) {
        try await world.signIn(code: "made-up", "ann@example.com")
      }
      await #expect(throws: AccountsError.tooManyAttempts) { try await world.resetPassword(code) }
      world.advance(600)
      _ = try await world.resetPassword(code)
    }
  }
}
