import Foundation
import GatehouseClient
import Testing

/// Linking a credential that was presented before: "attempt to link the accounts using the old Sign
/// in with Apple credential and then examine the error returned to find a new credential"
/// (Firebase, "Authenticate Using Apple").
@Suite struct SpentCredentialsTests {
  private static let duplicate = ClientError.nonce(
    detail: "Duplicate credential received.")
  private static let used = ClientError.nonce(
    detail: "The credential was used before. Ask the user to sign in again.")

  /// The answer of Apple's sheet, for an app that keeps it.
  private func appleCredential(_ scene: AccountScene) async throws -> Credential {
    let pending = PendingAppleRequest()
    let answer = try await scene.apple.authorize(pending.request)
    guard case .credential(let credential) = try pending.answered(by: answer) else {
      throw Unexpected()
    }
    return credential
  }

  private struct Unexpected: Error {}

  private func signInByPassword(_ scene: AccountScene) async throws -> SignedInUser {
    try await scene.client.signIn(
      with: .password(email: "alice@example.com", password: "right")
    ).user
  }

  @Test func `linking the credential of a just created account says which account has it`()
    async throws
  {
    let scene = try AccountScene([.password])
    let credential = try await appleCredential(scene)
    let new = try await scene.client.signIn(with: credential).user.uid
    let alice = try await signInByPassword(scene)
    do throws(ClientError) {
      try await alice.link(credential)
      Issue.record("linked")
    } catch {
      guard case .credentialInUse(let updated?, _, "FEDERATED_USER_ID_ALREADY_LINKED") = error
      else { throw error }
      #expect(try await scene.client.signIn(with: .identityProvider(updated)).user.uid == new)
    }
    #expect(scene.journal.count("sheet apple") == 1)
  }

  @Test func `after signing in to an account with the same address, the same credential links`()
    async throws
  {
    let scene = try AccountScene([.password])
    scene.server.set { $0.wantsConfirmation = ["password"] }
    let credential = try await appleCredential(scene)
    do throws(ClientError) {
      try await scene.client.signIn(with: credential)
      Issue.record("signed in")
    } catch {
      guard case .accountExists(_, [.password], _?) = error else { throw error }
    }
    try await signInByPassword(scene).link(credential)
    #expect(scene.server.account()?.providers.map(\.provider) == [.password, .apple])
  }

  @Test func `after a missing consent the same credential links with it`() async throws {
    let scene = try AccountScene([.password])
    let alice = try await signInByPassword(scene)
    scene.server.set { $0.wantsConsent = ["apple.com", "email"] }
    let credential = try await appleCredential(scene)
    await #expect(throws: ClientError.self) { try await alice.link(credential) }
    try await alice.link(credential, consent: Consent(version: "1", joins: ["apple.com", "email"]))
    #expect(scene.server.account()?.providers.map(\.provider) == [.password, .apple])
  }

  @Test func `signing in with it again stays refused`() async throws {
    let scene = try AccountScene([.apple])
    let credential = try await appleCredential(scene)
    try await scene.client.signIn(with: credential)
    await #expect(throws: Self.duplicate) { try await scene.client.signIn(with: credential) }
  }

  @Test func `re-authenticating with it stays refused`() async throws {
    let scene = try AccountScene([.apple])
    let credential = try await appleCredential(scene)
    let user = try await scene.client.signIn(with: credential).user
    await #expect(throws: Self.duplicate) { try await user.reauthenticate(with: credential) }
  }

  @Test func `signing out removes it`() async throws {
    let scene = try AccountScene([.password])
    let credential = try await appleCredential(scene)
    try await scene.client.signIn(with: credential)
    try scene.client.signOut()
    let alice = try await signInByPassword(scene)
    await #expect(throws: Self.duplicate) { try await alice.link(credential) }
  }

  @Test func `the token alone isn't enough: another nonce finds nothing`() async throws {
    let scene = try AccountScene([.password])
    let credential = try await appleCredential(scene)
    try await scene.client.signIn(with: credential)
    let alice = try await signInByPassword(scene)
    guard case .identityProvider(var stolen) = credential else { throw Unexpected() }
    stolen.rawNonce = Nonce().raw
    await #expect(throws: ClientError.nonce(detail: "They differ.")) {
      try await alice.link(.identityProvider(stolen))
    }
  }

  @Test func `after ten minutes it has expired`() async throws {
    let scene = try AccountScene([.password])
    let credential = try await appleCredential(scene)
    try await scene.client.signIn(with: credential)
    let alice = try await signInByPassword(scene)
    scene.clock.advance(seconds: 600)
    await #expect(throws: Self.duplicate) { try await alice.link(credential) }
  }

  @Test func `a second earlier, it hasn't expired`() async throws {
    let scene = try AccountScene([.password])
    let credential = try await appleCredential(scene)
    try await scene.client.signIn(with: credential)
    let alice = try await signInByPassword(scene)
    scene.clock.advance(seconds: 599)
    await #expect {
      try await alice.link(credential)
    } throws: { error in
      if case .credentialInUse = error as? ClientError { true } else { false }
    }
  }

  @Test func `four used credentials are remembered, and the fifth drops the first`() async throws {
    let scene = try AccountScene([.password])
    var credentials: [Credential] = []
    for number in 0..<5 {
      scene.apple.set { $0.subject = "00\(number).new" }
      credentials.append(try await appleCredential(scene))
      try await scene.client.signIn(with: try #require(credentials.last))
    }
    let alice = try await signInByPassword(scene)
    await #expect(throws: Self.duplicate) { try await alice.link(credentials[0]) }
    await #expect {
      try await alice.link(credentials[1])
    } throws: { error in
      if case .credentialInUse = error as? ClientError { true } else { false }
    }
  }

  @Test func `a pending token that the server no longer accepts is reported as a used credential`()
    async throws
  {
    let scene = try AccountScene([.password])
    let credential = try await appleCredential(scene)
    try await scene.client.signIn(with: credential)
    let alice = try await signInByPassword(scene)
    scene.server.fail("link", .refusal("INVALID_PENDING_TOKEN"))
    await #expect(throws: Self.used) { try await alice.link(credential) }
    #expect(scene.client.currentUser?.uid == "alice")
  }

  @Test func `the result of a sign-in in a browser is remembered, too`() async throws {
    let scene = try AccountScene([.password])
    var browser = IdentityProviderCredential(provider: "oidc.example")
    browser.redirect = RedirectAnswer(requestURI: "https://a.example/cb?code=1", sessionID: "s")
    try await scene.client.signIn(with: .identityProvider(browser))
    let alice = try await signInByPassword(scene)
    await #expect {
      try await alice.link(.identityProvider(browser))
    } throws: { error in
      if case .credentialInUse = error as? ClientError { true } else { false }
    }
    let sent = try #require(scene.server.bodies("link").last)
    #expect(sent["pendingToken"] != nil && sent["sessionId"] == nil)
  }

  @Test func `a credential that may be sent twice is sent unchanged`() async throws {
    let scene = try AccountScene([.password])
    let google = ProviderToken(provider: .google, subject: "g-new", nonceHash: "", serial: 1)
    let credential = Credential.google(idToken: google.text)
    try await scene.client.signIn(with: credential)
    let alice = try await signInByPassword(scene)
    await #expect(throws: ClientError.self) { try await alice.link(credential) }
    #expect(scene.server.bodies("link").last?["pendingToken"] == nil)
  }
}
