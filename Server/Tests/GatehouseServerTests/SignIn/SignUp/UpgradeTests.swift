import GatehouseServer
import GatehouseProtocol
import Testing

/// Giving a signed-in account an address and a password.
@Suite struct UpgradeTests {
  @Test func `an anonymous account becomes permanent in place`() async throws {
    try await withWorld { world in
      let guest = try await world.signUpAnonymously()
      let ann = try await world.upgrade(guest.tokens.idToken, "ann@example.com")
      #expect(ann.account.uid == guest.account.uid)
      #expect(!ann.isNewUser)
      #expect(!ann.account.isAnonymous)
      #expect(!ann.account.isEmailVerified)
      #expect(
        try claims(of: ann.tokens.idToken)["firebase"]?["sign_in_provider"]?.string == "password")
      _ = try await world.signIn("ann@example.com")
    }
  }

  @Test func `the anonymous session ends`() async throws {
    try await withWorld { world in
      let guest = try await world.signUpAnonymously()
      let ann = try await world.upgrade(guest.tokens.idToken, "ann@example.com")
      await #expect(throws: AccountsError.tokenExpired) {
        try await world.currentUser(guest.tokens.idToken)
      }
      await #expect(throws: AccountsError.tokenExpired) {
        try await world.refresh(guest.tokens.refreshToken)
      }
      _ = try await world.currentUser(ann.tokens.idToken)
      _ = try await world.refresh(ann.tokens.refreshToken)
    }
  }

  @Test func `an old anonymous session may still upgrade`() async throws {
    try await withWorld { world in
      let guest = try await world.signUpAnonymously()
      world.advance(3000)
      _ = try await world.upgrade(guest.tokens.idToken, "ann@example.com")
    }
  }

  @Test func `an address that is taken is rejected and changes nothing`() async throws {
    try await withWorld { world in
      _ = try await world.signUp("ann@example.com")
      let guest = try await world.signUpAnonymously()
      await #expect(throws: AccountsError.emailExists) {
        try await world.upgrade(guest.tokens.idToken, "ann@example.com")
      }
      _ = try await world.currentUser(guest.tokens.idToken)
    }
  }

  @Test func `a weak password is rejected`() async throws {
    try await withWorld { world in
      let guest = try await world.signUpAnonymously()
      await #expect(throws: AccountsError.weakPassword) {
        try await world.upgrade(guest.tokens.idToken, "ann@example.com", password: "12345")
      }
    }
  }

  @Test func `a disabled account is rejected`() async throws {
    try await withWorld { world in
      let guest = try await world.signUpAnonymously()
      _ = try await world.administer(guest.account.uid) { $0.isDisabled = true }
      await #expect(throws: AccountsError.userDisabled) {
        try await world.upgrade(guest.tokens.idToken, "ann@example.com")
      }
    }
  }

  @Test func `a permanent account needs a recent sign-in`() async throws {
    try await withWorld { world in
      let ann = try await world.signIn(identity(.google, email: "ann@example.com")).signedIn()
      world.advance(361)
      await #expect(throws: AccountsError.credentialTooOld) {
        try await world.upgrade(ann.tokens.idToken, "ann@example.com")
      }
      #expect(try await world.stored(ann.account.uid).password == nil)
    }
  }

  @Test(arguments: [true, false])
  func `a password is a new authentication only for an anonymous account`(
    _ isAnonymous: Bool
  ) async throws {
    try await withWorld { world in
      let user =
        isAnonymous
        ? try await world.signUpAnonymously()
        : try await world.signIn(identity(.google, email: "ann@example.com")).signedIn()
      world.advance(300)
      let upgraded = try await world.upgrade(user.tokens.idToken, "ann@example.com")
      #expect(upgraded.session.authenticatedAt == (isAnonymous ? world.now : World.start))
    }
  }

  @Test(arguments: [(0, true), (361, false)])
  func `after unlinking everything, an upgrade still needs a recent sign-in`(
    _ age: Double, _ isTaken: Bool
  ) async throws {
    try await withWorld { world in
      let ann = try await world.signInAndUnlinkEverything(age: age)
      let upgrade = { () async throws in
        _ = try await world.upgrade(ann.tokens.idToken, "ann@example.com")
      }
      if isTaken {
        try await upgrade()
      } else {
        await #expect(throws: AccountsError.credentialTooOld) { try await upgrade() }
      }
      #expect((try await world.stored(ann.account.uid).password != nil) == isTaken)
    }
  }

  @Test func `a password for the account's own verified address keeps it verified`() async throws {
    try await withWorld({ $0.protectsEmails = true }) { world in
      let ann = try await world.signIn(identity(.google, email: "ann@example.com")).signedIn()
      let upgraded = try await world.upgrade(ann.tokens.idToken, "ann@example.com")
      #expect(upgraded.account.isEmailVerified)
      #expect(upgraded.account.identities.count == 1)
    }
  }

  @Test func `under protection an upgrade can't change the address, like an update`() async throws {
    try await withWorld({ $0.protectsEmails = true }) { world in
      let ann = try await world.signIn(identity(.google, email: "ann@example.com")).signedIn()
      await #expect(throws: AccountsError.newEmailUnverified) {
        try await world.upgrade(ann.tokens.idToken, "other@example.com")
      }
      #expect(try await world.stored(ann.account.uid).email?.text == "ann@example.com")
    }
  }

  @Test func `without protection another address is unverified`() async throws {
    try await withWorld { world in
      let ann = try await world.signIn(identity(.google, email: "ann@example.com")).signedIn()
      let upgraded = try await world.upgrade(ann.tokens.idToken, "other@example.com")
      #expect(upgraded.account.email?.text == "other@example.com")
      #expect(!upgraded.account.isEmailVerified)
    }
  }
}
