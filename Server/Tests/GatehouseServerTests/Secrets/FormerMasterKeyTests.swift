import Foundation
import GatehouseServer
import GatehouseProtocol
import Testing

/// After a rotation the server still takes what was made under the former master key. Anyone who has that
/// key can make such things too, and must not get anywhere with those that are dated after the rotation.
@Suite struct FormerMasterKeyTests {
  /// Makes the same thing twice under the present key: now, and as a forger with that key does after the
  /// rotation. Then rotates, and lets a minute pass.
  private func madeBeforeAndAfter<Made>(
    rotating world: World, _ make: () async throws -> Made
  ) async throws -> (genuine: Made, forged: Made) {
    world.advance(60)
    let forged = try await make()
    world.advance(-60)
    let genuine = try await make()
    try await world.rotateMasterKey()
    world.advance(60)
    return (genuine, forged)
  }

  // MARK: What is valid for minutes

  @Test func `a pending token counts only if it is older than the rotation`() async throws {
    try await withWorld { world in
      let (genuine, forged) = try await madeBeforeAndAfter(rotating: world) {
        try PendingTokenCodec(world.master).token(
          for: identity(), verifiedAt: world.now, project: world.project.id)
      }
      await #expect(throws: AccountsError.invalidPendingToken) {
        try await world.repeatSignIn(forged)
      }
      _ = try await world.repeatSignIn(genuine).signedIn()
      world.advance(PendingTokenCodec.lifetimeSeconds - 60)
      await #expect(throws: AccountsError.invalidPendingToken) {
        try await world.repeatSignIn(genuine)
      }
    }
  }

  @Test func `a temporary proof counts only if it is older than the rotation`() async throws {
    try await withWorld { world in
      let owner = try await world.signInByPhone()
      let other = try await world.signUpAnonymously()
      let (genuine, forged) = try await madeBeforeAndAfter(rotating: world) {
        try await world.temporaryProof(idToken: other.tokens.idToken)
      }
      await #expect(throws: AccountsError.invalidTemporaryProof) {
        try await world.present(proof: forged)
      }
      #expect(try await world.present(proof: genuine).signedIn().account.uid == owner.account.uid)
    }
  }

  @Test func `a nonce counts only if it is older than the rotation`() async throws {
    try await withWorld { world in
      let (genuine, forged) = try await madeBeforeAndAfter(rotating: world) {
        try await world.accounts.issueNonce(forIDToken: nil, in: world.project, now: world.now)
      }
      await #expect(throws: AccountsError.nonce(.notIssued)) {
        try await world.signIn(identity(), nonce: forged.text, sessionID: forged.sessionID)
      }
      _ = try await world.signIn(
        identity(), nonce: genuine.text, sessionID: genuine.sessionID
      ).signedIn()
    }
  }

  @Test func `a browser sign-in counts only if it began before the rotation`() async throws {
    try await withWorld { world in
      var start = BrowserSignIn.Start(
        provider: .google, redirectURI: "https://auth.example.com/cb",
        sessionDigest: BrowserSignIn.digest(ofSession: "session"))
      start.destination = BrowserSignIn.Destination(
        mode: .signInWithRedirect, url: "com.example.app://firebaseauth/link", eventID: "e")
      let (accounts, project) = (world.accounts, world.project)
      let (genuine, forged) = try await madeBeforeAndAfter(rotating: world) {
        let (signIn, state) = try accounts.beginBrowserSignIn(start, in: project, now: world.now)
        let answer = BrowserAnswer(
          to: signIn, .code(Secret("code")), issuer: nil, userName: nil, arrivedAt: world.now)
        return (
          state: state, answer: try accounts.seal(answer),
          posted: try accounts.seal(postedForm: [("state", state)], now: world.now)
        )
      }
      let refusal = AccountsError.browserSignIn(.notIssued)
      #expect(throws: refusal) {
        try accounts.browserSignIn(ofState: forged.state, now: world.now)
      }
      #expect(throws: refusal) {
        try accounts.browserAnswer(sealed: forged.answer, in: project, now: world.now)
      }
      #expect(throws: refusal) { try accounts.form(ofPosted: forged.posted, now: world.now) }
      _ = try accounts.browserSignIn(ofState: genuine.state, now: world.now)
      _ = try accounts.browserAnswer(sealed: genuine.answer, in: project, now: world.now)
      _ = try accounts.form(ofPosted: genuine.posted, now: world.now)
    }
  }

  // MARK: Refresh tokens

  /// What a forger writes who has the former key and knows the session's id from an ID token.
  private func forged(_ world: World, _ session: Session, _ rotation: UInt32) -> String {
    RefreshTokenCodec(world.master).token(
      session: session.id, rotation: rotation, project: world.project.id)
  }

  private func isRefused(_ token: String, _ world: World) async {
    await #expect(throws: AccountsError.invalidRefreshToken) { try await world.refresh(token) }
  }

  @Test func `no refresh token of a former key opens a session that began after the rotation`()
    async throws
  {
    try await withWorld { world in
      try await world.rotateMasterKey()
      world.advance(60)
      let ann = try await world.signIn(identity()).signedIn()
      await isRefused(forged(world, ann.session, 0), world)
      _ = try await world.refresh(ann.tokens.refreshToken)
    }
  }

  @Test func `a session that began before the rotation continues under the new key`() async throws {
    try await withWorld { world in
      let ann = try await world.signIn(identity()).signedIn()
      try await world.rotateMasterKey()
      world.advance(30 * 86_400)
      let second = try await world.refresh(ann.tokens.refreshToken).tokens.refreshToken
      #expect(second.hasPrefix(world.ring.current.name))
      world.advance(86_400)
      // The session has left the former key behind. A token under it is not taken for a stolen one:
      // that would let a forger end the session.
      await isRefused(ann.tokens.refreshToken, world)
      _ = try await world.refresh(second)
    }
  }

  @Test func `if the response with the new key's first token was lost, the grace period helps`()
    async throws
  {
    try await withWorld { world in
      let ann = try await world.signIn(identity()).signedIn()
      try await world.rotateMasterKey()
      world.advance(86_400)
      let second = try await world.refresh(ann.tokens.refreshToken).tokens.refreshToken
      world.advance(59)
      #expect(try await world.refresh(ann.tokens.refreshToken).tokens.refreshToken == second)
      // Numbers that the session reached, or will reach, only under the new key.
      for rotation in [1, 2, .max] as [UInt32] {
        await isRefused(forged(world, ann.session, rotation), world)
      }
      world.advance(1)
      await isRefused(ann.tokens.refreshToken, world)
      _ = try await world.refresh(second)
    }
  }

  @Test func `a former key is the same in a process that starts later`() async throws {
    try await withWorld { world in
      try await world.rotateMasterKey()
      world.advance(60)
      let ann = try await world.signIn(identity()).signedIn()
      let ring = try #require(MasterKeyRing(world.ring.keys.reversed()))
      #expect(try await MasterKeyRotation.select(in: ring, store: world.store))
      let restarted = try World.service(
        store: world.store, ring: ring, passwords: try World.hasher())
      await #expect(throws: AccountsError.invalidRefreshToken) {
        try await restarted.refresh(
          forged(world, ann.session, 0), in: world.project, now: world.now)
      }
      // And after its file was read again.
      ring.adopt(world.ring.keys)
      await #expect(throws: AccountsError.invalidRefreshToken) {
        try await restarted.refresh(
          forged(world, ann.session, 0), in: world.project, now: world.now)
      }
    }
  }

  @Test func `each of several former keys has its own time`() async throws {
    try await withWorld { world in
      try await world.rotateMasterKey()
      world.advance(3600)
      let ann = try await world.signIn(identity()).signedIn()
      try await world.rotateMasterKey()
      world.advance(3600)
      await isRefused(forged(world, ann.session, 0), world)
      _ = try await world.refresh(ann.tokens.refreshToken)
    }
  }
}
