import GatehouseServer
import GatehouseProtocol
import Testing

/// A provider's token with a nonce can be used for one request.
@Suite struct SingleUseTests {
  @Test func `of a hundred concurrent uses exactly one succeeds`() async throws {
    try await withWorld { world in
      let identity = try identity().once()
      let results = await atOnce(100) { _ in try await world.signIn(identity).signedIn() }
      #expect(results.successes().count == 1)
      #expect(results.refusals() == Array(repeating: .duplicateCredential, count: 99))
      let count = try await world.count()
      #expect(count == 1)
    }
  }

  @Test func `a second sign-in with a token is rejected`() async throws {
    try await withWorld { world in
      _ = try await world.signIn(identity().once())
      await #expect(throws: AccountsError.duplicateCredential) {
        try await world.signIn(identity().once())
      }
    }
  }

  @Test func `another token of the same identity is accepted`() async throws {
    try await withWorld { world in
      _ = try await world.signIn(identity().once(1))
      #expect(try await !world.signIn(identity().once(2)).signedIn().isNewUser)
    }
  }

  @Test func `a new token with a used nonce is rejected`() async throws {
    try await withWorld { world in
      _ = try await world.signIn(identity().once(1, nonce: 9))
      await #expect(throws: AccountsError.duplicateCredential) {
        try await world.signIn(identity().once(2, nonce: 9))
      }
      // The refusal doesn't spend the token.
      _ = try await world.signIn(identity().once(2, nonce: 8)).signedIn()
    }
  }

  @Test func `a token with a nonce that isn't the request's may be presented again`() async throws {
    try await withWorld { world in
      _ = try await world.signIn(identity().repeatable())
      #expect(try await !world.signIn(identity().repeatable()).signedIn().isNewUser)
      // Then bound to a request, once.
      _ = try await world.signIn(identity().once()).signedIn()
    }
  }

  @Test func `a token that was used with its nonce is rejected without it`() async throws {
    try await withWorld { world in
      _ = try await world.signIn(identity().once())
      await #expect(throws: AccountsError.duplicateCredential) {
        try await world.signIn(identity().repeatable())
      }
    }
  }

  @Test func `a token without a nonce may be presented again`() async throws {
    try await withWorld { world in
      _ = try await world.signIn(identity())
      #expect(try await !world.signIn(identity()).signedIn().isNewUser)
    }
  }

  @Test func `in another project a token counts as unused`() async throws {
    try await withWorld { world in
      _ = try await world.signIn(identity().once())
      let other = try await world.otherProject()
      #expect(try await world.signIn(identity().once(), in: other).signedIn().isNewUser)
    }
  }

  @Test func `a refusal doesn't spend a token`() async throws {
    try await withWorld { world in
      await #expect(throws: AccountsError.userNotFound) {
        try await world.signIn(identity().once(), ifNew: .refuse)
      }
      _ = try await world.signIn(identity().once()).signedIn()
    }
  }

  @Test func `a refusal because the account is disabled doesn't spend a token`() async throws {
    try await withWorld { world in
      let uid = try await world.signIn(identity()).signedIn().account.uid
      _ = try await world.administer(uid) { $0.isDisabled = true }
      await #expect(throws: AccountsError.userDisabled) {
        try await world.signIn(identity().once())
      }
      _ = try await world.administer(uid) { $0.isDisabled = false }
      _ = try await world.signIn(identity().once()).signedIn()
    }
  }

  @Test func `a link to an account that has the provider spends a token`() async throws {
    try await withWorld { world in
      let ann = try await world.signIn(identity(.google, "ann")).signedIn()
      let arriving = try identity(.google, "other").once()
      let conflict = try await world.signIn(arriving, linkingTo: ann.tokens.idToken).conflict()
      #expect(conflict.error == .providerAlreadyLinked)
      await #expect(throws: AccountsError.duplicateCredential) {
        try await world.signIn(arriving)
      }
    }
  }

  @Test func `a needed confirmation spends a token`() async throws {
    try await withWorld { world in
      _ = try await world.signUp("ann@example.com")
      let arriving = try identity(.facebook, email: "ann@example.com", .untrusted).once()
      _ = try await world.signIn(arriving).confirmation()
      await #expect(throws: AccountsError.duplicateCredential) {
        try await world.signIn(arriving)
      }
    }
  }

  @Test func `a link conflict spends a token`() async throws {
    try await withWorld { world in
      _ = try await world.signIn(identity())
      let guest = try await world.signUpAnonymously()
      let arriving = try identity().once()
      let conflict = try await world.signIn(arriving, linkingTo: guest.tokens.idToken).conflict()
      #expect(conflict.error == .identityLinkedElsewhere)
      await #expect(throws: AccountsError.duplicateCredential) {
        try await world.signIn(arriving)
      }
    }
  }

  @Test func `after a link conflict the pending token signs in to the other account`() async throws
  {
    try await withWorld { world in
      let owner = try await world.signIn(identity()).signedIn()
      let guest = try await world.signUpAnonymously()
      let conflict = try await world.signIn(identity().once(), linkingTo: guest.tokens.idToken)
        .conflict()
      let again = try await world.repeatSignIn(conflict.pendingToken).signedIn()
      #expect(again.account.uid == owner.account.uid)
    }
  }

  @Test func `linking spends a token`() async throws {
    try await withWorld { world in
      let guest = try await world.signUpAnonymously()
      _ = try await world.signIn(identity().once(), linkingTo: guest.tokens.idToken).signedIn()
      await #expect(throws: AccountsError.duplicateCredential) {
        try await world.signIn(identity().once())
      }
    }
  }

  @Test func `re-authentication spends a token`() async throws {
    try await withWorld { world in
      _ = try await world.signIn(identity())
      _ = try await world.signIn(identity().once(), ifNew: .refuse).signedIn()
      await #expect(throws: AccountsError.duplicateCredential) {
        try await world.signIn(identity().once(), ifNew: .refuse)
      }
    }
  }

  @Test func `the pending token of a spent token can be used`() async throws {
    try await withWorld { world in
      let first = try await world.signIn(identity().once()).signedInWithPending()
      let again = try await world.repeatSignIn(first.pendingToken).signedIn()
      #expect(again.account.uid == first.0.account.uid)
    }
  }
}
