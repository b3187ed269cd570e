import GatehouseServer
import GatehouseProtocol
import Testing

/// What an identity's email address may decide, and what it may not.
@Suite struct EmailRuleTests {
  @Test func `an address verified on both sides joins the account`() async throws {
    try await withWorld { world in
      let ann = try await world.verifiedAccount("ann@example.com")
      let joined = try await world.signIn(
        identity(.apple, email: "ANN@example.com", name: "Ann", photo: "https://example.com/a")
      ).signedIn()
      #expect(joined.account.uid == ann.account.uid)
      #expect(!joined.isNewUser)
      #expect(joined.account.displayName == "Ann")
      #expect(joined.account.photoURL == "https://example.com/a")
      _ = try await world.signIn("ann@example.com")
      _ = try await world.currentUser(ann.tokens.idToken)
    }
  }

  @Test func `values that a joining provider lacks erase nothing`() async throws {
    try await withWorld { world in
      let ann = try await world.signUp("ann@example.com", name: "Ann", photo: "https://example.com")
      _ = try await world.administer(ann.account.uid) { $0.isEmailVerified = true }
      let joined = try await world.signIn(identity(.apple, email: "ann@example.com")).signedIn()
      #expect(joined.account.displayName == "Ann")
      #expect(joined.account.photoURL == "https://example.com")
    }
  }

  @Test(arguments: [Word.untrusted, .unverified])
  func `an address that isn't verified needs confirmation`(word: Word) async throws {
    try await withWorld { world in
      let ann = try await world.verifiedAccount("ann@example.com")
      _ = try await world.signIn(identity(.google, email: "ann@example.com")).signedIn()
      let before = try await world.stored(ann.account.uid)
      let confirmation = try await world.signIn(
        identity(.facebook, "mallory", email: "ann@example.com", word)
      ).confirmation()
      #expect(!confirmation.isRecycled)
      #expect(confirmation.verifiedProviders == [.google])
      let after = try await world.stored(ann.account.uid)
      #expect(after.identities == before.identities)
      #expect(after.validSince == before.validSince)
      let count = try await world.count()
      #expect(count == 1)
    }
  }

  @Test func `a password isn't listed among the providers`() async throws {
    try await withWorld { world in
      _ = try await world.signUp("ann@example.com")
      let confirmation = try await world.signIn(
        identity(.facebook, email: "ann@example.com", .untrusted)
      ).confirmation()
      #expect(confirmation.verifiedProviders.isEmpty)
    }
  }

  @Test(arguments: [Word.untrusted, .unverified])
  func `an address that isn't verified is stored as unverified`(word: Word) async throws {
    try await withWorld { world in
      let ann = try await world.signIn(identity(.facebook, email: "ann@example.com", word))
        .signedIn()
      #expect(ann.account.email?.text == "ann@example.com")
      #expect(!ann.account.isEmailVerified)
      #expect(try claims(of: ann.tokens.idToken)["email_verified"]?.bool == false)
    }
  }

  @Test(arguments: [Word.untrusted, .unverified])
  func `an unverified address stays unverified at every sign-in`(word: Word) async throws {
    try await withWorld { world in
      let arriving = try identity(.facebook, email: "ann@example.com", word)
      let uid = try await world.signIn(arriving).signedIn().account.uid
      for _ in 0..<3 { _ = try await world.signIn(arriving) }
      #expect(try await !world.stored(uid).isEmailVerified)
    }
  }

  @Test func `an untrusted address never allows a later takeover`() async throws {
    try await withWorld { world in
      let ann = try await world.verifiedAccount("ann@example.com")
      let untrusted = try identity(.facebook, "mallory", email: "ann@example.com", .untrusted)
      _ = try await world.signIn(untrusted).confirmation()
      // Again, with another address in between.
      _ = try await world.signIn(identity(.facebook, "mallory", email: "m@example.com", .untrusted))
      let again = try await world.signIn(untrusted).signedIn()
      #expect(again.account.uid != ann.account.uid)
      #expect(again.account.email?.text == "m@example.com")
      #expect(try await world.stored(ann.account.uid).identities.isEmpty)
    }
  }

  @Test func `a recycled address gives a new subject nothing of the old account`() async throws {
    try await withWorld { world in
      let old = try await world.signIn(identity(.google, "old", email: "ann@example.com"))
        .signedIn()
      let confirmation = try await world.signIn(
        identity(.google, "new", email: "ann@example.com")
      ).confirmation()
      #expect(confirmation.isRecycled)
      let stored = try await world.stored(old.account.uid)
      #expect(stored.identities.map(\.subject.text) == ["old"])
      _ = try await world.currentUser(old.tokens.idToken)
      // The pending token gives nothing either.
      let again = try await world.repeatSignIn(confirmation.pendingToken).confirmation()
      #expect(again.isRecycled)
    }
  }

  @Test func `a squatter can't lock an address's user out by the same provider`() async throws {
    try await withWorld { world in
      let squatter = try await world.signUp("ann@example.com")
      let linked = try await world.signIn(
        identity(.google, "mallory", email: "m@example.com"), linkingTo: squatter.tokens.idToken
      ).signedIn()
      let ann = try await world.signIn(identity(.google, "ann", email: "ann@example.com"))
        .signedIn()
      #expect(ann.account.isEmailVerified)
      #expect(ann.account.identities.map(\.subject.text) == ["ann"])
      #expect(ann.account.password == nil)
      await #expect(throws: AccountsError.tokenExpired) {
        try await world.currentUser(linked.tokens.idToken)
      }
    }
  }

  @Test func `a returning identity with the account's address verifies it`() async throws {
    try await withWorld { world in
      let ann = try await world.signIn(
        identity(.google, email: "ann@example.com", .unverified)
      ).signedIn()
      _ = try await world.signIn(identity(.google, email: "ann@example.com"))
      #expect(try await world.stored(ann.account.uid).isEmailVerified)
    }
  }

  @Test func `a returning identity with another address verifies nothing`() async throws {
    try await withWorld { world in
      let ann = try await world.signIn(
        identity(.google, email: "ann@example.com", .unverified)
      ).signedIn()
      _ = try await world.signIn(identity(.google, email: "other@example.com"))
      let stored = try await world.stored(ann.account.uid)
      #expect(!stored.isEmailVerified)
      #expect(stored.email?.text == "ann@example.com")
    }
  }

  @Test func `a disabled account is neither joined nor taken over`() async throws {
    try await withWorld { world in
      for isVerified in [true, false] {
        let address = "ann-\(isVerified)@example.com"
        let ann = try await world.signUp(address)
        _ = try await world.administer(ann.account.uid) {
          $0.isEmailVerified = isVerified
          $0.isDisabled = true
        }
        await #expect(throws: AccountsError.userDisabled) {
          try await world.signIn(identity(.google, address, email: address))
        }
        #expect(try await world.stored(ann.account.uid).identities.isEmpty)
      }
    }
  }
}
