import GatehouseServer
import GatehouseProtocol
import TestStores
import Testing

/// Nonces that the server issues: bound to a session, valid for ten minutes and for one use.
@Suite struct NonceTests {
  @Test func `a nonce issued without a session signs in with its session id`() async throws {
    try await withWorld { world in
      let nonce = try await world.nonce()
      let sessionID = try #require(nonce.sessionID)
      #expect(nonce.text.utf8.starts(with: "ghn_".utf8))
      #expect(nonce.text.utf8.count <= 256)
      let signedIn = try await world.signIn(
        identity(), nonce: nonce.text, sessionID: sessionID
      ).signedIn()
      #expect(signedIn.isNewUser)
    }
  }

  @Test func `a session's nonce links in that session, also after its refresh`() async throws {
    try await withWorld { world in
      let ann = try await world.signUp("ann@example.com")
      let nonce = try await world.nonce(ann.tokens.idToken)
      #expect(nonce.sessionID == nil)
      let refreshed = try await world.refresh(ann.tokens.refreshToken)
      let linked = try await world.signIn(
        identity(), linkingTo: refreshed.tokens.idToken, nonce: nonce.text
      ).signedIn()
      #expect(linked.account.uid == ann.account.uid)
    }
  }

  @Test func `another session of the same user can't use a nonce`() async throws {
    try await withWorld { world in
      let one = try await world.signUp("ann@example.com")
      let two = try await world.signIn("ann@example.com")
      let nonce = try await world.nonce(one.tokens.idToken)
      await #expect(throws: AccountsError.nonce(.otherSession)) {
        try await world.signIn(identity(), linkingTo: two.tokens.idToken, nonce: nonce.text)
      }
      _ = try await world.signIn(
        identity(), linkingTo: one.tokens.idToken, nonce: nonce.text
      ).signedIn()
    }
  }

  @Test func `a missing session id and another one are rejected`() async throws {
    try await withWorld { world in
      let (mine, others) = (try await world.nonce(), try await world.nonce())
      for sessionID in [nil, "", others.sessionID, mine.text] {
        await #expect(throws: AccountsError.nonce(.otherSession)) {
          try await world.signIn(identity(), nonce: mine.text, sessionID: sessionID)
        }
      }
    }
  }

  @Test func `a session and a session id can't replace each other`() async throws {
    try await withWorld { world in
      let ann = try await world.signUp("ann@example.com")
      let unbound = try await world.nonce()
      await #expect(throws: AccountsError.nonce(.otherSession)) {
        try await world.signIn(
          identity(), linkingTo: ann.tokens.idToken, nonce: unbound.text,
          sessionID: unbound.sessionID)
      }
      let bound = try await world.nonce(ann.tokens.idToken)
      await #expect(throws: AccountsError.nonce(.otherSession)) {
        try await world.signIn(
          identity(), nonce: bound.text, sessionID: ann.session.id.description)
      }
    }
  }

  @Test func `of a hundred concurrent uses, with as many tokens, one succeeds`() async throws {
    try await withWorld { world in
      let nonce = try await world.nonce()
      let results = await atOnce(100) { index in
        try await world.signIn(
          identity().once(UInt8(index)), nonce: nonce.text, sessionID: nonce.sessionID
        ).signedIn()
      }
      #expect(results.successes().count == 1)
      #expect(results.refusals() == Array(repeating: .nonce(.used), count: 99))
    }
  }

  @Test func `a refused sign-in doesn't use a nonce up`() async throws {
    try await withWorld { world in
      let nonce = try await world.nonce()
      await #expect(throws: AccountsError.userNotFound) {
        try await world.signIn(
          identity(), ifNew: .refuse, nonce: nonce.text, sessionID: nonce.sessionID)
      }
      _ = try await world.signIn(
        identity(), nonce: nonce.text, sessionID: nonce.sessionID
      ).signedIn()
    }
  }

  @Test func `a nonce is valid for less than ten minutes`() async throws {
    try await withWorld { world in
      let (one, two) = (try await world.nonce(), try await world.nonce())
      world.advance(599.999)
      _ = try await world.signIn(identity(), nonce: one.text, sessionID: one.sessionID)
      world.advance(0.001)
      await #expect(throws: AccountsError.nonce(.expired)) {
        try await world.signIn(identity(), nonce: two.text, sessionID: two.sessionID)
      }
    }
  }

  @Test func `a nonce that was altered, forged or issued for another project is rejected`()
    async throws
  {
    try await withWorld { world in
      let nonce = try await world.nonce()
      let other = try await world.otherProject()
      let foreign = try await world.accounts.issueNonce(forIDToken: nil, in: other, now: world.now)
      for (text, sessionID) in [
        (nonce.text.tampered, nonce.sessionID), ("ghn_", nonce.sessionID),
        ("ghn_AAAA", nonce.sessionID), (foreign.text, foreign.sessionID),
      ] {
        await #expect(throws: AccountsError.nonce(.notIssued)) {
          try await world.signIn(identity(), nonce: text, sessionID: sessionID)
        }
      }
    }
  }

  @Test func `if the server's nonces are required, a client's own and none are rejected`()
    async throws
  {
    try await withWorld({ $0.nonce = .server }) { world in
      await #expect(throws: AccountsError.nonce(.ofClient)) {
        try await world.signIn(identity(), nonce: "a client's own")
      }
      for none in [nil, ""] {
        await #expect(throws: AccountsError.nonce(.missing)) {
          try await world.signIn(identity(), nonce: none)
        }
      }
      let nonce = try await world.nonce()
      let first = try await world.signIn(
        identity().once(), nonce: nonce.text, sessionID: nonce.sessionID
      ).signedInWithPending()
      // A pending token's identity was bound to a nonce when it was verified.
      _ = try await world.repeatSignIn(first.pendingToken).signedIn()
    }
  }

  @Test func `a disabled account's session gets no nonce`() async throws {
    try await withWorld { world in
      let ann = try await world.signUp("ann@example.com")
      _ = try await world.administer(ann.account.uid) { $0.isDisabled = true }
      await #expect(throws: AccountsError.userDisabled) {
        try await world.nonce(ann.tokens.idToken)
      }
    }
  }

  @Test(.enabled(if: !TestStore.isPostgres, "PostgreSQL's commits are counted by nobody"))
  func `issuing stores nothing`() async throws {
    try await withWorld { world in
      let counts = try #require(world.store as? SQLiteStore).counts
      let before = counts.commits
      for _ in 0..<100 { _ = try await world.nonce() }
      #expect(counts.commits == before)
    }
  }
}

extension World {
  fileprivate func nonce(_ idToken: String? = nil) async throws -> IssuedNonce {
    try await accounts.issueNonce(forIDToken: idToken, in: project, now: now)
  }
}
