import GatehouseServer
import GatehouseProtocol
import Testing

/// What signing in and linking reveal about another user's account if the project protects
/// addresses: a provider may let anyone assert any address.
@Suite struct DisclosureTests {
  private func asserting(_ address: String, _ name: String = "mallory") throws -> ExternalIdentity {
    try identity(.facebook, name, email: address, .untrusted)
  }

  private func withProtection(
    signUpsPerAddress: Int = 1000, body: (World) async throws -> Void
  ) async throws {
    try await withWorld(
      {
        $0.protectsEmails = true
        $0.rateLimits.signUpsPerAddress = signUpsPerAddress
      }, body: body)
  }

  @Test func `a confirmation names neither the account nor its providers`() async throws {
    try await withProtection { world in
      _ = try await world.signIn(identity(.google, email: "ann@example.com")).signedIn()
      let confirmation = try await world.signIn(asserting("ann@example.com")).confirmation()
      #expect(confirmation.account == nil)
      #expect(confirmation.verifiedProviders.isEmpty)
      #expect(!confirmation.isRecycled)
    }
  }

  @Test func `a confirmation doesn't reveal another identity of the provider`() async throws {
    try await withProtection { world in
      _ = try await world.signIn(asserting("ann@example.com", "ann")).signedIn()
      let confirmation = try await world.signIn(asserting("ann@example.com")).confirmation()
      #expect(!confirmation.isRecycled)
    }
  }

  @Test func `without protection a confirmation names account and providers`() async throws {
    try await withWorld { world in
      let ann = try await world.signIn(identity(.google, email: "ann@example.com")).signedIn()
      let confirmation = try await world.signIn(asserting("ann@example.com")).confirmation()
      #expect(confirmation.account?.uid == ann.account.uid)
      #expect(confirmation.verifiedProviders == [.google])
    }
  }

  @Test func `confirmations are counted by client address`() async throws {
    try await withProtection(signUpsPerAddress: 2) { world in
      for number in 1...2 { _ = try await world.signUp("user\(number)@example.com") }
      // An address without an account reveals nothing, and isn't counted.
      for name in ["first", "second"] {
        _ = try await world.signIn(asserting("\(name)@example.com", name)).signedIn()
      }
      for number in 1...2 {
        _ = try await world.signIn(asserting("user\(number)@example.com")).confirmation()
      }
      await #expect(throws: AccountsError.tooManyAttempts) {
        try await world.signIn(asserting("user1@example.com"))
      }
    }
  }

  /// Otherwise the refusal would reveal that the address has an account.
  @Test(arguments: [IfNew.create, .ask])
  func `beyond the limit, an address without an account is refused too`(
    _ ifNew: IfNew
  ) async throws {
    try await withProtection(signUpsPerAddress: 1) { world in
      _ = try await world.signUp("user@example.com")
      let ann = try await world.signIn(asserting("ann@example.com", "ann")).signedIn()
      _ = try await world.signIn(asserting("user@example.com")).confirmation()
      for address in ["user@example.com", "free@example.com"] {
        await #expect(throws: AccountsError.tooManyAttempts) {
          try await world.signIn(asserting(address), ifNew: ifNew)
        }
      }
      // A user who has an account, or who verifies the address, learns nothing about others.
      let again = try await world.signIn(asserting("ann@example.com", "ann")).signedIn()
      #expect(again.account.uid == ann.account.uid)
      _ = try await world.signIn(identity(.google, "bob", email: "bob@example.com")).signedIn()
      world.advance(3600)
      _ = try await world.signIn(asserting("free@example.com")).signedIn()
    }
  }

  @Test func `beyond the limit, a link with an address without an account is refused too`()
    async throws
  {
    try await withProtection(signUpsPerAddress: 1) { world in
      _ = try await world.signUp("user@example.com")
      let mallory = try await world.signIn(
        identity(.google, "mallory", email: "mallory@example.com")
      ).signedIn()
      _ = try await world.signIn(
        asserting("user@example.com"), linkingTo: mallory.tokens.idToken
      ).conflict()
      for address in ["user@example.com", "free@example.com"] {
        await #expect(throws: AccountsError.tooManyAttempts) {
          try await world.signIn(asserting(address), linkingTo: mallory.tokens.idToken)
        }
      }
      // The account's own address reveals nothing.
      _ = try await world.signIn(
        asserting("mallory@example.com"), linkingTo: mallory.tokens.idToken
      ).signedIn()
    }
  }

  @Test func `conflicts of a link are counted by client address`() async throws {
    try await withProtection(signUpsPerAddress: 2) { world in
      for number in 1...2 { _ = try await world.signUp("user\(number)@example.com") }
      let mallory = try await world.signIn(identity(.google, "mallory")).signedIn()
      for number in 1...2 {
        let conflict = try await world.signIn(
          asserting("user\(number)@example.com"), linkingTo: mallory.tokens.idToken
        ).conflict()
        #expect(conflict.error == .emailExists)
      }
      await #expect(throws: AccountsError.tooManyAttempts) {
        try await world.signIn(
          asserting("user1@example.com"), linkingTo: mallory.tokens.idToken)
      }
    }
  }

  @Test func `the own address can't be removed to set another`() async throws {
    try await withProtection { world in
      let ann = try await world.signUp("ann@example.com")
      await #expect(throws: AccountsError.newEmailUnverified) {
        try await world.update(ann.tokens.idToken) { $0.email = .remove }
      }
      #expect(try await world.stored(ann.account.uid).email?.text == "ann@example.com")
    }
  }
}
