import Foundation
import GatehouseServer
import GatehouseProtocol
import Testing

@Suite struct UpdateOwnAccountTests {
  @Test func `name and photo are set, kept and removed`() async throws {
    try await withWorld { world in
      let ann = try await world.signUp("ann@example.com", name: "Ann")
      let set = try await world.update(ann.tokens.idToken) {
        $0.photoURL = .set("https://example.com/p")
      }
      #expect(set.account.displayName == "Ann")
      #expect(set.account.photoURL == "https://example.com/p")
      #expect(set.tokens == nil)
      let removed = try await world.update(ann.tokens.idToken) { $0.displayName = .remove }
      #expect(removed.account.displayName == nil)
      #expect(removed.account.photoURL == "https://example.com/p")
    }
  }

  @Test func `a new password ends every session and returns a new one`() async throws {
    try await withWorld { world in
      let phone = try await world.signUp("ann@example.com")
      let ann = try await world.signIn("ann@example.com")
      let updated = try await world.update(ann.tokens.idToken) {
        $0.password = .set(Secret("another"))
      }
      let tokens = try #require(updated.tokens)
      _ = try await world.currentUser(tokens.idToken)
      _ = try await world.refresh(tokens.refreshToken)
      for old in [phone, ann] {
        await #expect(throws: AccountsError.tokenExpired) {
          try await world.currentUser(old.tokens.idToken)
        }
        await #expect(throws: AccountsError.tokenExpired) {
          try await world.refresh(old.tokens.refreshToken)
        }
      }
      await #expect(throws: AccountsError.invalidPassword) {
        try await world.signIn("ann@example.com")
      }
      _ = try await world.signIn("ann@example.com", password: "another")
    }
  }

  @Test func `after a new address the session keeps the provider and time of the sign-in`()
    async throws
  {
    try await withWorld { world in
      let ann = try await world.signIn(identity(.google, email: "ann@example.com")).signedIn()
      world.advance(200)
      let tokens = try #require(
        try await world.update(ann.tokens.idToken) { $0.email = .set(try email("b@example.com")) }
          .tokens)
      #expect(
        try await world.currentUser(tokens.idToken).session.authenticatedAt == World.start)
      let claims = try claims(of: tokens.idToken)
      #expect(claims["firebase"]?["sign_in_provider"]?.string == "google.com")
    }
  }

  @Test func `after a new password the session is one of the password, at the same time`()
    async throws
  {
    try await withWorld { world in
      var arriving = try identity(.google, email: "ann@example.com")
      arriving.signInAttributes = SignInAttributes(written: #"{"groups":["a"]}"#)
      let ann = try await world.signIn(arriving).signedIn()
      world.advance(200)
      let tokens = try #require(
        try await world.update(ann.tokens.idToken) { $0.password = .set(Secret("another")) }
          .tokens)
      #expect(
        try await world.currentUser(tokens.idToken).session.authenticatedAt == World.start)
      let claims = try claims(of: tokens.idToken)
      #expect(claims["firebase"]?["sign_in_provider"]?.string == "password")
      #expect(claims["firebase"]?["sign_in_attributes"] == nil)
      #expect(claims["firebase"]?["identities"]?["google.com"] == ["ann"])
    }
  }

  @Test func `an anonymous account's new password becomes its sign-in provider`() async throws {
    try await withWorld { world in
      let guest = try await world.signUpAnonymously()
      let updated = try await world.update(guest.tokens.idToken) {
        $0.email = .set(try email("ann@example.com"))
        $0.password = .set(Secret("another"))
      }
      let tokens = try #require(updated.tokens)
      let claims = try claims(of: tokens.idToken)
      #expect(claims["provider_id"] == nil)
      #expect(claims["firebase"]?["sign_in_provider"]?.string == "password")
    }
  }

  @Test func `no password is set if the project doesn't allow passwords`() async throws {
    try await withWorld { world in
      let ann = try await world.signIn(identity(.google, email: "ann@example.com")).signedIn()
      var changes = ProfileChanges()
      changes.password = .set(Secret("notasecret"))
      let chosen = changes
      await #expect(throws: AccountsError.passwordsDisabled) {
        _ = try await world.accounts.update(
          idToken: ann.tokens.idToken, with: chosen, from: .unknown,
          in: world.project { $0.allowsPasswords = false }, now: world.now)
      }
    }
  }

  @Test func `a weak or too long password is rejected and changes nothing`() async throws {
    try await withWorld { world in
      let ann = try await world.signUp("ann@example.com")
      await #expect(throws: AccountsError.weakPassword) {
        try await world.update(ann.tokens.idToken) { $0.password = .set(Secret("12345")) }
      }
      await #expect(throws: AccountsError.passwordTooLong) {
        try await world.update(ann.tokens.idToken) {
          $0.password = .set(Secret(String(repeating: "p", count: 4097)))
        }
      }
      _ = try await world.currentUser(ann.tokens.idToken)
    }
  }

  @Test func `a new address is unverified and ends every session`() async throws {
    try await withWorld { world in
      let ann = try await world.verifiedAccount("ann@example.com")
      let updated = try await world.update(ann.tokens.idToken) {
        $0.email = .set(try email("new@example.com"))
      }
      #expect(updated.account.email?.text == "new@example.com")
      #expect(!updated.account.isEmailVerified)
      await #expect(throws: AccountsError.tokenExpired) {
        try await world.currentUser(ann.tokens.idToken)
      }
      _ = try await world.currentUser(try #require(updated.tokens).idToken)
    }
  }

  @Test func `the same address in another spelling changes nothing`() async throws {
    try await withWorld { world in
      let ann = try await world.verifiedAccount("ann@example.com")
      let updated = try await world.update(ann.tokens.idToken) {
        $0.email = .set(try email("ANN@example.com"))
      }
      #expect(updated.account.isEmailVerified)
      #expect(updated.tokens == nil)
    }
  }

  @Test func `another account's address is rejected`() async throws {
    try await withWorld { world in
      _ = try await world.signUp("bob@example.com")
      let ann = try await world.signUp("ann@example.com")
      await #expect(throws: AccountsError.emailExists) {
        try await world.update(ann.tokens.idToken) { $0.email = .set(try email("bob@example.com")) }
      }
    }
  }

  @Test func `a taken address is reported before a weak password`() async throws {
    try await withWorld { world in
      let ann = try await world.signUp("ann@example.com")
      _ = try await world.signUp("bob@example.com")
      for (text, error) in [
        ("bob@example.com", AccountsError.emailExists), ("free@example.com", .weakPassword),
        ("ann@example.com", .weakPassword),
      ] {
        let address = try email(text)
        await #expect(throws: error, "\(text)") {
          try await world.update(ann.tokens.idToken) {
            $0.email = .set(address)
            $0.password = .set(Secret("12345"))
          }
        }
      }
    }
  }

  @Test func `under protection a new address must be verified first`() async throws {
    try await withWorld({ $0.protectsEmails = true }) { world in
      let ann = try await world.signUp("ann@example.com")
      await #expect(throws: AccountsError.newEmailUnverified) {
        try await world.update(ann.tokens.idToken) { $0.email = .set(try email("b@example.com")) }
      }
    }
  }

  @Test(arguments: ["new@example.com", "taken@example.com"])
  func `under protection an anonymous account gets an address only with a new credential`(
    _ text: String
  ) async throws {
    try await withWorld({ $0.protectsEmails = true }) { world in
      _ = try await world.signUp("taken@example.com")
      let guest = try await world.signUpAnonymously()
      let address = try email(text)
      await #expect(throws: AccountsError.newEmailUnverified) {
        try await world.update(guest.tokens.idToken) {
          $0.email = .set(address)
          $0.password = .set(Secret("secret1"))
        }
      }
      let upgraded = try await world.upgrade(guest.tokens.idToken, "own@example.com")
      #expect(upgraded.account.uid == guest.account.uid)
    }
  }

  @Test func `a disabled account can't be changed by its user`() async throws {
    try await withWorld { world in
      let ann = try await world.signUp("ann@example.com")
      _ = try await world.administer(ann.account.uid) { $0.isDisabled = true }
      await #expect(throws: AccountsError.userDisabled) {
        try await world.update(ann.tokens.idToken) { $0.displayName = .set("Ann") }
      }
    }
  }
}
