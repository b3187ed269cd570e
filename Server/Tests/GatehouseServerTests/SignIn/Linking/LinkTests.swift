import GatehouseServer
import GatehouseProtocol
import Testing

@Suite struct LinkTests {
  @Test func `an anonymous account becomes permanent in place`() async throws {
    try await withWorld { world in
      let guest = try await world.signUpAnonymously()
      let linked = try await world.signIn(
        identity(.google, email: "ann@example.com", name: "Ann"),
        linkingTo: guest.tokens.idToken
      ).signedIn()
      #expect(linked.account.uid == guest.account.uid)
      #expect(!linked.isNewUser)
      #expect(!linked.account.isAnonymous)
      #expect(linked.account.email?.text == "ann@example.com")
      #expect(linked.account.isEmailVerified)
      #expect(linked.account.displayName == "Ann")
      let claims = try claims(of: linked.tokens.idToken)
      #expect(claims["provider_id"] == nil)
      #expect(claims["firebase"]?["sign_in_provider"]?.string == "google.com")
    }
  }

  @Test func `linking doesn't make an old sign-in a recent one`() async throws {
    try await withWorld { world in
      let ann = try await world.signIn(identity(.google, email: "ann@example.com")).signedIn()
      world.advance(361)
      let linked = try await world.signIn(
        identity(.facebook, "thief"), linkingTo: ann.tokens.idToken
      ).signedIn()
      #expect(linked.session.authenticatedAt == World.start)
      await #expect(throws: AccountsError.credentialTooOld) {
        _ = try await world.accounts.delete(
          idToken: linked.tokens.idToken, in: world.project, now: world.now)
      }
    }
  }

  @Test func `linking an anonymous account's first identity is a recent sign-in`() async throws {
    try await withWorld { world in
      let guest = try await world.signUpAnonymously()
      world.advance(361)
      let linked = try await world.signIn(
        identity(.google), linkingTo: guest.tokens.idToken
      ).signedIn()
      #expect(linked.session.authenticatedAt == world.now)
    }
  }

  @Test func `an untrusted address becomes the account's, unverified`() async throws {
    try await withWorld { world in
      let guest = try await world.signUpAnonymously()
      let linked = try await world.signIn(
        identity(.facebook, email: "ann@example.com", .untrusted), linkingTo: guest.tokens.idToken
      ).signedIn()
      #expect(linked.account.email?.text == "ann@example.com")
      #expect(!linked.account.isEmailVerified)
    }
  }

  @Test func `if a project allows duplicate addresses, none becomes the account's`() async throws {
    try await withWorld({ $0.allowsDuplicateEmails = true }) { world in
      let guest = try await world.signUpAnonymously()
      let linked = try await world.signIn(
        identity(.google, email: "ann@example.com"), linkingTo: guest.tokens.idToken
      ).signedIn()
      #expect(linked.account.uid == guest.account.uid)
      #expect(linked.account.email == nil)
    }
  }

  @Test func `the account keeps its own address`() async throws {
    try await withWorld { world in
      let ann = try await world.signUp("ann@example.com")
      let linked = try await world.signIn(
        identity(.google, email: "other@example.com"), linkingTo: ann.tokens.idToken
      ).signedIn()
      #expect(linked.account.email?.text == "ann@example.com")
      #expect(!linked.account.isEmailVerified)
    }
  }

  @Test func `an identity with the account's own address verifies it`() async throws {
    try await withWorld { world in
      let ann = try await world.signUp("ann@example.com")
      let linked = try await world.signIn(
        identity(.google, email: "ann@example.com"), linkingTo: ann.tokens.idToken
      ).signedIn()
      #expect(linked.account.isEmailVerified)
      _ = try await world.signIn("ann@example.com")
    }
  }

  @Test func `an untrusted provider doesn't verify the account's own address`() async throws {
    try await withWorld { world in
      let ann = try await world.signUp("ann@example.com")
      let linked = try await world.signIn(
        identity(.facebook, email: "ann@example.com", .untrusted), linkingTo: ann.tokens.idToken
      ).signedIn()
      #expect(!linked.account.isEmailVerified)
    }
  }

  @Test func `an identity that another account has is a conflict`() async throws {
    try await withWorld { world in
      let owner = try await world.signIn(identity()).signedIn()
      let guest = try await world.signUpAnonymously()
      let conflict = try await world.signIn(identity(), linkingTo: guest.tokens.idToken).conflict()
      #expect(conflict.error == .identityLinkedElsewhere)
      #expect(try await world.stored(guest.account.uid).isAnonymous)
      // The pending token signs in to the owner.
      let merged = try await world.repeatSignIn(conflict.pendingToken).signedIn()
      #expect(merged.account.uid == owner.account.uid)
    }
  }

  @Test func `an address that another account has is a conflict`() async throws {
    try await withWorld { world in
      _ = try await world.signUp("ann@example.com")
      let guest = try await world.signUpAnonymously()
      let conflict = try await world.signIn(
        identity(.google, email: "ann@example.com"), linkingTo: guest.tokens.idToken
      ).conflict()
      #expect(conflict.error == .emailExists)
      #expect(try await world.stored(guest.account.uid).isAnonymous)
    }
  }

  @Test func `another subject of a linked provider is refused`() async throws {
    try await withWorld { world in
      let ann = try await world.signIn(identity(.google, "x")).signedIn()
      let conflict = try await world.signIn(
        identity(.google, "y"), linkingTo: ann.tokens.idToken
      ).conflict()
      #expect(conflict.error == .providerAlreadyLinked)
      #expect(try await world.stored(ann.account.uid).identities.map(\.subject.text) == ["x"])
    }
  }

  @Test func `a conflict with another account is reported before one within the account`()
    async throws
  {
    try await withWorld { world in
      _ = try await world.signUp("ann@example.com")
      _ = try await world.signIn(identity(.google, "z", email: "z@example.com")).signedIn()
      let bob = try await world.signIn(identity(.google, "x")).signedIn()
      let errors: [AccountsError] = [
        try await world.signIn(
          identity(.google, "z", email: "ann@example.com"), linkingTo: bob.tokens.idToken
        ).conflict().error,
        try await world.signIn(
          identity(.google, "y", email: "ann@example.com"), linkingTo: bob.tokens.idToken
        ).conflict().error,
        try await world.signIn(
          identity(.google, "y", email: "new@example.com"), linkingTo: bob.tokens.idToken
        ).conflict().error,
      ]
      #expect(errors == [.identityLinkedElsewhere, .emailExists, .providerAlreadyLinked])
    }
  }

  @Test func `if two accounts link one identity at once, one gets it`() async throws {
    try await withWorld { world in
      let guests = [try await world.signUpAnonymously(), try await world.signUpAnonymously()]
      let arriving = try identity()
      let results = await atOnce(2) { index in
        try await world.signIn(arriving, linkingTo: guests[index].tokens.idToken)
      }
      let outcomes: [IdentitySignIn.Result] = results.successes()
      #expect(outcomes.compactMap { try? $0.signedIn() }.count == 1)
      #expect(outcomes.compactMap { try? $0.conflict().error } == [.identityLinkedElsewhere])
    }
  }

  @Test func `a forged ID token links nothing`() async throws {
    try await withWorld { world in
      let guest = try await world.signUpAnonymously()
      await #expect(throws: AccountsError.invalidIDToken) {
        try await world.signIn(identity(), linkingTo: guest.tokens.idToken.tampered)
      }
      #expect(try await world.stored(guest.account.uid).isAnonymous)
    }
  }

  @Test func `a deleted account's ID token links nothing`() async throws {
    try await withWorld { world in
      let guest = try await world.signUpAnonymously()
      try await world.accounts.deleteAccount(guest.account.uid, in: world.project, now: world.now)
      await #expect(throws: AccountsError.userNotFound) {
        try await world.signIn(identity(), linkingTo: guest.tokens.idToken)
      }
    }
  }

  @Test func `a disabled account links nothing`() async throws {
    try await withWorld { world in
      let guest = try await world.signUpAnonymously()
      _ = try await world.administer(guest.account.uid) { $0.isDisabled = true }
      await #expect(throws: AccountsError.userDisabled) {
        try await world.signIn(identity(), linkingTo: guest.tokens.idToken)
      }
    }
  }

  @Test func `an unlinked identity signs in to another account afterwards`() async throws {
    try await withWorld { world in
      let ann = try await world.signUp("ann@example.com")
      let linked = try await world.signIn(identity(), linkingTo: ann.tokens.idToken).signedIn()
      world.advance(1)
      _ = try await world.update(linked.tokens.idToken) { $0.unlinkedProviders = [.google] }
      #expect(try await world.signIn(identity()).signedIn().account.uid != ann.account.uid)
    }
  }
}
