import GatehouseServer
import GatehouseProtocol
import Testing

@Suite struct SignInWithIdentityTests {
  @Test func `an unknown identity creates an account`() async throws {
    try await withWorld { world in
      let arriving = try identity(
        .google, email: "ann@example.com", name: "Ann", photo: "https://example.com/ann")
      let signedIn = try await world.signIn(arriving).signedIn()
      #expect(signedIn.isNewUser)
      let stored = try await world.stored(signedIn.account.uid)
      #expect(stored.email?.text == "ann@example.com")
      #expect(stored.isEmailVerified)
      #expect(stored.displayName == "Ann")
      #expect(stored.photoURL == "https://example.com/ann")
      #expect(stored.identities.map(\.provider) == [.google])
    }
  }

  @Test func `the same provider and subject sign in to the same account`() async throws {
    try await withWorld { world in
      let first = try await world.signIn(identity()).signedIn()
      world.advance(1)
      let second = try await world.signIn(identity()).signedIn()
      #expect(second.account.uid == first.account.uid)
      #expect(second.session.id != first.session.id)
      #expect(!second.isNewUser)
    }
  }

  @Test func `a second sign-in at the same instant isn't a new user`() async throws {
    try await withWorld { world in
      _ = try await world.signIn(identity())
      #expect(try await !world.signIn(identity()).signedIn().isNewUser)
    }
  }

  @Test func `the same subject at another provider has another account`() async throws {
    try await withWorld { world in
      let google = try await world.signIn(identity(.google, "1")).signedIn()
      let apple = try await world.signIn(identity(.apple, "1")).signedIn()
      #expect(google.account.uid != apple.account.uid)
    }
  }

  @Test func `a provider whose id differs in case is another provider`() async throws {
    try await withWorld { world in
      let lower = try await world.signIn(identity(.named("oidc.example"))).signedIn()
      let upper = try await world.signIn(identity(.named("oidc.EXAMPLE"))).signedIn()
      #expect(lower.account.uid != upper.account.uid)
    }
  }

  @Test func `subjects that are equal after normalization are two accounts`() async throws {
    try await withWorld { world in
      let composed = try await world.signIn(identity(.google, "caf\u{E9}")).signedIn()
      let decomposed = try await world.signIn(identity(.google, "cafe\u{301}")).signedIn()
      #expect(composed.account.uid != decomposed.account.uid)
    }
  }

  @Test func `subjects that are equal after case folding are two accounts`() async throws {
    try await withWorld { world in
      let kelvin = try await world.signIn(identity(.google, "\u{212A}")).signedIn()
      let letter = try await world.signIn(identity(.google, "K")).signedIn()
      let small = try await world.signIn(identity(.google, "k")).signedIn()
      #expect(Set([kelvin, letter, small].map(\.account.uid)).count == 3)
    }
  }

  @Test func `the same identity in another project has another account`() async throws {
    try await withWorld { world in
      let other = try await world.otherProject()
      _ = try await world.signIn(identity()).signedIn()
      #expect(try await world.signIn(identity(), in: other).signedIn().isNewUser)
    }
  }

  @Test func `50 concurrent first sign-ins create one account`() async throws {
    try await withWorld { world in
      let arriving = try identity()
      let results = await atOnce(50) { _ in try await world.signIn(arriving).signedIn() }
      #expect(results.successes().filter(\.isNewUser).count == 1)
      #expect(Set(results.successes().map(\.account.uid)).count == 1)
      #expect(results.successes().count == 50)
    }
  }

  @Test func `re-authentication with an unknown identity creates nothing`() async throws {
    try await withWorld { world in
      await #expect(throws: AccountsError.userNotFound) {
        try await world.signIn(identity(), ifNew: .refuse)
      }
      let count = try await world.count()
      #expect(count == 0)
    }
  }

  @Test func `re-authentication with an unknown identity joins nothing`() async throws {
    try await withWorld { world in
      let ann = try await world.verifiedAccount("ann@example.com")
      await #expect(throws: AccountsError.userNotFound) {
        try await world.signIn(identity(.google, email: "ann@example.com"), ifNew: .refuse)
      }
      #expect(try await world.stored(ann.account.uid).identities.isEmpty)
    }
  }

  @Test func `re-authentication as another user affects only that user`() async throws {
    try await withWorld { world in
      let ann = try await world.signIn(identity(.google, "ann")).signedIn()
      let bob = try await world.signIn(identity(.google, "bob")).signedIn()
      let again = try await world.signIn(identity(.google, "bob"), ifNew: .refuse).signedIn()
      #expect(again.account.uid == bob.account.uid)
      #expect(
        try await world.currentUser(ann.tokens.idToken).session.authenticatedAt == World.start)
    }
  }

  @Test func `a disabled account is rejected`() async throws {
    try await withWorld { world in
      let ann = try await world.signIn(identity()).signedIn()
      _ = try await world.administer(ann.account.uid) { $0.isDisabled = true }
      await #expect(throws: AccountsError.userDisabled) { try await world.signIn(identity()) }
    }
  }

  @Test func `a project that refuses sign-up rejects a new identity`() async throws {
    try await withWorld({ $0.refusesSignUp = true }) { world in
      await #expect(throws: AccountsError.adminOnlyOperation) {
        try await world.signIn(identity())
      }
      let count = try await world.count()
      #expect(count == 0)
    }
  }

  @Test func `a project that refuses sign-up accepts a known identity`() async throws {
    try await withWorld({ $0.refusesSignUp = true }) { world in
      let ann = try await world.create {
        $0.link = AssignedIdentity(provider: .google, subject: try subject("ann"))
      }
      #expect(try await world.signIn(identity()).signedIn().account.uid == ann.uid)
    }
  }

  @Test func `a later name is set only if the account has none`() async throws {
    try await withWorld { world in
      let uid = try await world.signIn(identity(.apple)).signedIn().account.uid
      _ = try await world.signIn(identity(.apple, name: "Ann"))
      _ = try await world.signIn(identity(.apple, name: "Somebody Else"))
      _ = try await world.signIn(identity(.apple))
      let stored = try await world.stored(uid)
      #expect(stored.displayName == "Ann")
      #expect(stored.identities.first?.displayName == "Somebody Else")
    }
  }

  @Test func `a sign-in sets both times, with or without other changes`() async throws {
    try await withWorld { world in
      let uid = try await world.signIn(identity()).signedIn().account.uid
      for name in [nil, "Ann"] {
        world.advance(10)
        _ = try await world.signIn(identity(name: name))
        let stored = try await world.stored(uid)
        #expect(stored.lastLoginAt == world.now)
        #expect(stored.lastRefreshAt == world.now)
      }
    }
  }

  @Test func `if addresses may repeat, the new account has none of its own`() async throws {
    try await withWorld({ $0.allowsDuplicateEmails = true }) { world in
      let ann = try await world.verifiedAccount("ann@example.com")
      let other = try await world.signIn(identity(.google, email: "ann@example.com")).signedIn()
      #expect(other.account.uid != ann.account.uid)
      #expect(other.account.email == nil)
    }
  }
}
