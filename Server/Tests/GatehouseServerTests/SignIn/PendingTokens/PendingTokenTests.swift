import Foundation
import GatehouseServer
import GatehouseProtocol
import Testing

@Suite struct PendingTokenTests {
  @Test func `a pending token repeats the sign-in with its time, more than once`() async throws {
    try await withWorld { world in
      let first = try await world.signIn(identity().once()).signedInWithPending()
      for _ in 0..<3 {
        world.advance(100)
        let again = try await world.repeatSignIn(first.pendingToken).signedIn()
        #expect(again.account.uid == first.0.account.uid)
        #expect(again.session.authenticatedAt == World.start)
        #expect(try claims(of: again.tokens.idToken)["auth_time"]?.int64 == 1_800_000_000)
      }
    }
  }

  @Test func `the pending token of a repeated sign-in expires with the first`() async throws {
    try await withWorld { world in
      let first = try await world.signIn(identity()).signedInWithPending()
      world.advance(599)
      let second = try await world.repeatSignIn(first.pendingToken).signedInWithPending()
      world.advance(1)
      await #expect(throws: AccountsError.invalidPendingToken) {
        try await world.repeatSignIn(second.pendingToken)
      }
    }
  }

  @Test func `a repeated sign-in isn't a recent sign-in`() async throws {
    try await withWorld { world in
      let first = try await world.signIn(identity()).signedInWithPending()
      world.advance(361)
      let again = try await world.repeatSignIn(first.pendingToken).signedIn()
      await #expect(throws: AccountsError.credentialTooOld) {
        _ = try await world.accounts.delete(
          idToken: again.tokens.idToken, in: world.project, now: world.now)
      }
    }
  }

  @Test func `a pending token is valid for less than ten minutes`() async throws {
    try await withWorld { world in
      let token = try await world.signIn(identity()).signedInWithPending().pendingToken
      world.advance(599.999)
      _ = try await world.repeatSignIn(token).signedIn()
      world.advance(0.001)
      await #expect(throws: AccountsError.invalidPendingToken) {
        try await world.repeatSignIn(token)
      }
    }
  }

  @Test func `a pending token of a disabled provider is rejected`() async throws {
    try await withWorld { world in
      let token = try await world.signIn(identity()).signedInWithPending().pendingToken
      var google = try #require(try World.providers().first { $0.id == .google })
      google.isEnabled = false
      let turnedOff = google
      try await world.store.write { try $0.save(turnedOff, in: world.project.id) }
      await #expect(throws: AccountsError.providerDisabled) {
        try await world.repeatSignIn(token)
      }
    }
  }

  @Test
  func `a pending token with a trusted address is rejected when the provider is no longer trusted`()
    async throws
  {
    for (asserted, trust, isRejected) in [
      (true, EmailTrust.never, true), (true, .always, false), (false, .never, false),
    ] {
      try await withWorld { world in
        let identity = try identity(
          email: asserted ? "ann@example.com" : nil)
        let token = try await world.signIn(identity).signedInWithPending().pendingToken
        var google = try #require(try World.providers().first { $0.id == .google })
        google.trustEmail = trust
        let changed = google
        try await world.store.write { try $0.save(changed, in: world.project.id) }
        if isRejected {
          await #expect(throws: AccountsError.invalidPendingToken) {
            try await world.repeatSignIn(token)
          }
        } else {
          _ = try await world.repeatSignIn(token).signedIn()
        }
      }
    }
  }

  @Test func `another project rejects a pending token`() async throws {
    try await withWorld { world in
      let token = try await world.signIn(identity()).signedInWithPending().pendingToken
      let other = try await world.otherProject()
      await #expect(throws: AccountsError.invalidPendingToken) {
        try await world.repeatSignIn(token, in: other)
      }
    }
  }

  @Test func `an altered pending token is rejected`() async throws {
    try await withWorld { world in
      let token = try await world.signIn(identity()).signedInWithPending().pendingToken
      await #expect(throws: AccountsError.invalidPendingToken) {
        try await world.repeatSignIn(token.tampered)
      }
    }
  }

  @Test func `a pending token under another master key is rejected`() async throws {
    try await withWorld { world in
      let other = try #require(MasterKey.random()).key
      let identity = try identity()
      let forged = try PendingTokenCodec(other).token(
        for: identity, verifiedAt: world.now, project: world.project.id)
      await #expect(throws: AccountsError.invalidPendingToken) {
        try await world.repeatSignIn(forged)
      }
      let genuine = try PendingTokenCodec(world.master).token(
        for: identity, verifiedAt: world.now, project: world.project.id)
      _ = try await world.repeatSignIn(genuine).signedIn()
    }
  }

  @Test func `a pending token is rejected after the account's tokens were revoked`() async throws {
    try await withWorld { world in
      let first = try await world.signIn(identity()).signedInWithPending()
      world.advance(2)
      _ = try await world.repeatSignIn(first.pendingToken).signedIn()
      _ = try await world.administer(first.0.account.uid) { $0.validSince = world.now }
      await #expect(throws: AccountsError.invalidPendingToken) {
        try await world.repeatSignIn(first.pendingToken)
      }
    }
  }

  @Test func `a revocation in the second of the sign-in ends a pending token`() async throws {
    try await withWorld { world in
      let first = try await world.signIn(identity()).signedInWithPending()
      world.advance(0.01)
      _ = try await world.administer(first.0.account.uid) { $0.validSince = world.now }
      await #expect(throws: AccountsError.invalidPendingToken) {
        try await world.repeatSignIn(first.pendingToken)
      }
      world.advance(0.01)
      let later = try await world.signIn(identity()).signedInWithPending()
      _ = try await world.repeatSignIn(later.pendingToken).signedIn()
    }
  }

  @Test func `a pending token can't join an account after its revocation`() async throws {
    try await withWorld { world in
      let ann = try await world.verifiedAccount("ann@example.com")
      let guest = try await world.signUpAnonymously()
      let conflict = try await world.signIn(
        identity(.google, email: "ann@example.com"), linkingTo: guest.tokens.idToken
      ).conflict()
      world.advance(2)
      _ = try await world.administer(ann.account.uid) { $0.validSince = world.now }
      await #expect(throws: AccountsError.invalidPendingToken) {
        try await world.repeatSignIn(conflict.pendingToken)
      }
      #expect(try await world.stored(ann.account.uid).identities.isEmpty)
    }
  }

  @Test func `without a revocation a pending token joins the account`() async throws {
    try await withWorld { world in
      let ann = try await world.verifiedAccount("ann@example.com")
      let guest = try await world.signUpAnonymously()
      let conflict = try await world.signIn(
        identity(.google, email: "ann@example.com"), linkingTo: guest.tokens.idToken
      ).conflict()
      world.advance(2)
      let joined = try await world.repeatSignIn(conflict.pendingToken).signedIn()
      #expect(joined.account.uid == ann.account.uid)
    }
  }

  @Test func `after unlinking a pending token is rejected`() async throws {
    try await withWorld { world in
      let ann = try await world.signUp("ann@example.com")
      let linked = try await world.signIn(identity(), linkingTo: ann.tokens.idToken)
        .signedInWithPending()
      world.advance(1)
      _ = try await world.update(linked.0.tokens.idToken) { $0.unlinkedProviders = [.google] }
      await #expect(throws: AccountsError.invalidPendingToken) {
        try await world.repeatSignIn(linked.pendingToken)
      }
      // A later sign-in with the same identity gives a valid one.
      world.advance(1)
      let fresh = try await world.signIn(identity()).signedInWithPending()
      _ = try await world.repeatSignIn(fresh.pendingToken).signedIn()
    }
  }

  @Test func `after deletion a pending token creates no new account`() async throws {
    try await withWorld { world in
      let first = try await world.signIn(identity()).signedInWithPending()
      world.advance(1)
      _ = try await world.accounts.delete(
        idToken: first.0.tokens.idToken, in: world.project, now: world.now)
      await #expect(throws: AccountsError.invalidPendingToken) {
        try await world.repeatSignIn(first.pendingToken)
      }
      let count = try await world.count()
      #expect(count == 0)
    }
  }

  @Test func `with an ID token a pending token links the identity`() async throws {
    try await withWorld { world in
      let ann = try await world.signUp("ann@example.com")
      let confirmation = try await world.signIn(
        identity(.facebook, email: "ann@example.com", .untrusted).once()
      ).confirmation()
      world.advance(30)
      let proof = try await world.signIn("ann@example.com")
      let linked = try await world.repeatSignIn(
        confirmation.pendingToken, linkingTo: proof.tokens.idToken
      ).signedIn()
      #expect(linked.account.uid == ann.account.uid)
      #expect(linked.account.identities.map(\.provider) == [.facebook])
      #expect(!linked.account.isEmailVerified)
      // From now on the identity signs in.
      let again = try await world.repeatSignIn(confirmation.pendingToken).signedIn()
      #expect(again.account.uid == ann.account.uid)
    }
  }

  @Test func `a pending token links no identity that left an account`() async throws {
    try await withWorld { world in
      let first = try await world.signIn(identity()).signedInWithPending()
      world.advance(1)
      try await world.accounts.deleteAccount(
        first.0.account.uid, in: world.project, now: world.now)
      let guest = try await world.signUpAnonymously()
      await #expect(throws: AccountsError.invalidPendingToken) {
        try await world.repeatSignIn(first.pendingToken, linkingTo: guest.tokens.idToken)
      }
    }
  }

  @Test func `a pending token of a disabled account is rejected`() async throws {
    try await withWorld { world in
      let first = try await world.signIn(identity()).signedInWithPending()
      _ = try await world.administer(first.0.account.uid) { $0.isDisabled = true }
      await #expect(throws: AccountsError.userDisabled) {
        try await world.repeatSignIn(first.pendingToken)
      }
    }
  }
}
