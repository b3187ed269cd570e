import Foundation
import GatehouseServer
import GatehouseProtocol
import Testing

@Suite struct KeepProviderTokensTests {
  @Test func `a code that comes with a sign-in is exchanged after it`() async throws {
    try await withAppleWorld { world in
      let ann = try await world.signIn(code: "c0de")
      let entry = try #require(try await world.outbox().first)
      guard case .exchangeCode(let task) = entry.task else {
        Issue.record("\(entry.task.kind)")
        return
      }
      #expect(task.uid == ann.account.uid)
      #expect(task.subject.text == "apple-ann")
      #expect(task.code.code.reveal() == "c0de")
      #expect(entry.dueAt == World.start)
    }
  }

  @Test func `a code that comes twice is exchanged once, and one that is too long never`()
    async throws
  {
    try await withAppleWorld { world in
      _ = try await world.signIn(code: "c0de")
      _ = try await world.signIn(code: "c0de")
      _ = try await world.signIn(code: String(repeating: "x", count: 2049))
      #expect(try await world.outbox().count == 1)
    }
  }

  @Test func `a code that comes with a refused sign-in is not exchanged`() async throws {
    try await withAppleWorld { world in
      let ann = try await world.signIn(code: nil)
      try await world.disable(ann.account.uid)
      await #expect(throws: AccountsError.userDisabled) { try await world.signIn(code: "c0de") }
      #expect(try await world.outbox().isEmpty)
    }
  }

  @Test func `without a key for Apple's token endpoint no code is exchanged`() async throws {
    try await withAppleWorld({ $0.apple?.privateKey = nil }) { world in
      _ = try await world.signIn(code: "c0de")
      #expect(try await world.outbox().isEmpty)
    }
  }

  @Test func `a provider whose tokens aren't kept has no code exchanged`() async throws {
    try await withAppleWorld({ $0.keepsRefreshToken = false }) { world in
      _ = try await world.signIn(code: "c0de")
      #expect(try await world.outbox().isEmpty)
    }
  }

  @Test func `a refresh token of a browser sign-in is kept at once`() async throws {
    try await withAppleWorld { world in
      var identity = try identity(.apple, "apple-ann")
      identity.tokens.refreshToken = Secret("r3fresh")
      identity.tokens.clientID = "web"
      let ann = try await world.signIn(identity).signedIn()
      let tokens = try await world.providerTokens(of: ann.account.uid)
      #expect(tokens.map { $0.token.reveal() } == ["r3fresh"])
      #expect(tokens.map(\.clientID) == ["web"])
      #expect(try await world.outbox().isEmpty)
    }
  }

  @Test func `Google's refresh token is kept only if the configuration wants it`() async throws {
    try await withWorld { world in
      var google = try identity(.google, "google-ann")
      google.tokens.refreshToken = Secret("r3fresh")
      let ann = try await world.signIn(google).signedIn()
      #expect(try await world.providerTokens(of: ann.account.uid).isEmpty)
      try await world.configure(.google) { $0.keepsRefreshToken = true }
      _ = try await world.signIn(google)
      #expect(try await world.providerTokens(of: ann.account.uid).count == 1)
    }
  }
}

@Suite struct RevokeAtProviderTests {
  @Test func `a deletion queues the revocation of every kept token`() async throws {
    try await withAppleWorld { world in
      let ann = try await world.signIn(code: nil)
      try await world.keep("r3fresh", of: ann.account.uid)
      _ = try await world.accounts.delete(
        idToken: ann.tokens.idToken, in: world.project, now: world.now)
      let revocations = try await world.revocations()
      #expect(revocations == ["apple.com apple-ann r3fresh web"])
      #expect(try await world.providerTokens(of: ann.account.uid).isEmpty)
    }
  }

  @Test func `an administrator's deletion does too`() async throws {
    try await withAppleWorld { world in
      let ann = try await world.signIn(code: nil)
      try await world.keep("r3fresh", of: ann.account.uid)
      try await world.accounts.deleteAccount(
        ann.account.uid, in: world.project, now: world.now)
      #expect(try await world.revocations() == ["apple.com apple-ann r3fresh web"])
    }
  }

  @Test func `Facebook's grant is revoked without a token`() async throws {
    try await withWorld { world in
      let ann = try await world.signIn(try identity(.facebook, "1001")).signedIn()
      try await world.accounts.deleteAccount(
        ann.account.uid, in: world.project, now: world.now)
      #expect(try await world.revocations() == ["facebook.com 1001 grant -"])
    }
  }

  @Test func `with revokesAtProvider off, the tokens are deleted and nothing is queued`()
    async throws
  {
    try await withAppleWorld { world in
      let ann = try await world.signIn(code: nil)
      try await world.keep("r3fresh", of: ann.account.uid)
      let project = world.project { $0.revokesAtProvider = false }
      try await world.accounts.deleteAccount(ann.account.uid, in: project, now: world.now)
      #expect(try await world.revocations() == [])
      #expect(try await world.store.read { try $0.countProviderTokens(in: project.id) } == 0)
    }
  }

  @Test func `unlinking revokes and erases the provider's tokens, and no other's`() async throws {
    try await withAppleWorld { world in
      let ann = try await world.signIn(code: nil)
      try await world.keep("r3fresh", of: ann.account.uid)
      try await world.keep("other", of: ann.account.uid, .google)
      _ = try await world.update(ann.tokens.idToken) { $0.unlinkedProviders = [.apple] }
      #expect(try await world.revocations() == ["apple.com apple-ann r3fresh web"])
      let left = try await world.providerTokens(of: ann.account.uid)
      #expect(left.map { $0.token.reveal() } == ["other"])
    }
  }

  @Test func `a token that arrives for a deleted account is revoked`() async throws {
    try await withAppleWorld { world in
      let ann = try await world.signIn(code: "c0de")
      let entry = try #require(try await world.outbox().first)
      guard case .exchangeCode(let task) = entry.task else {
        Issue.record("the code isn't queued")
        return
      }
      try await world.accounts.deleteAccount(
        ann.account.uid, in: world.project, now: world.now)
      let now = world.now
      try await world.store.write {
        try $0.keep(
          Secret("late"), clientID: "app", of: task, entry: entry, isQueued: true, now: now)
      }
      #expect(try await world.revocations() == ["apple.com apple-ann late app"])
    }
  }

  @Test func `a token that arrives for a deleted account is dropped with revokesAtProvider off`()
    async throws
  {
    try await withAppleWorld { world in
      let ann = try await world.signIn(code: "c0de")
      let entry = try #require(try await world.outbox().first)
      guard case .exchangeCode(let task) = entry.task else {
        Issue.record("the code isn't queued")
        return
      }
      let project = world.project { $0.revokesAtProvider = false }
      try await world.store.write { try $0.save(project) }
      try await world.accounts.deleteAccount(ann.account.uid, in: project, now: world.now)
      let now = world.now
      try await world.store.write {
        try $0.keep(
          Secret("late"), clientID: "app", of: task, entry: entry, isQueued: true, now: now)
      }
      #expect(try await world.revocations() == [])
      #expect(try await world.store.read { try $0.countProviderTokens(in: project.id) } == 0)
    }
  }
}

@Suite struct KnownCodeTests {
  @Test func `a code is found after its exchange, by the account that brought it`() async throws {
    try await withAppleWorld { world in
      let ann = try await world.signIn(code: "c0de")
      try await world.exchange(to: "r3fresh")
      guard case .exchanged(let token) = try await world.knownCode("c0de", by: ann) else {
        Issue.record("the code isn't found")
        return
      }
      #expect(token.token.reveal() == "r3fresh")
      let bob = try await world.signIn(try identity(.apple, "apple-bob")).signedIn()
      guard case .unknown = try await world.knownCode("c0de", by: bob) else {
        Issue.record("another account's code is found")
        return
      }
    }
  }

  @Test func `a code that waits for its exchange is left to one request for a minute`() async throws
  {
    try await withAppleWorld { world in
      let ann = try await world.signIn(code: "c0de")
      guard case .waiting(let entry) = try await world.knownCode("c0de", by: ann) else {
        Issue.record("the code isn't handed over")
        return
      }
      guard case .inProgress = try await world.knownCode("c0de", by: ann) else {
        Issue.record("a second request gets the code")
        return
      }
      #expect(try await world.claimed(after: 59).isEmpty)
      #expect(try await world.claimed(after: 60).map(\.id) == [entry.id])
    }
  }

  @Test func `after a revocation a code of the same grant isn't exchanged any more`() async throws {
    try await withAppleWorld { world in
      let ann = try await world.signIn(code: "c0de")
      try await world.complete(at: .google, by: ann)
      #expect(try await world.outbox().count == 1)
      try await world.complete(at: .apple, by: ann)
      #expect(try await world.outbox().isEmpty)
    }
  }

  /// Apple revokes all tokens of the user with one, so the new token is invalid too.
  @Test func `a token that arrives after a revocation of its grant isn't kept`() async throws {
    try await withAppleWorld { world in
      let ann = try await world.signIn(code: "c0de")
      let entry = try #require(try await world.outbox().first)
      try await world.complete(at: .apple, by: ann)
      try await world.exchange(entry, to: "dead")
      #expect(try await world.providerTokens(of: ann.account.uid).isEmpty)
      #expect(try await world.outbox().isEmpty)
    }
  }

  /// The sign-in renews the grant. The old revocation would end it, and delay the exchange of the new code.
  @Test func `a sign-in with Apple drops a revocation that hasn't succeeded`() async throws {
    try await withAppleWorld { world in
      let ann = try await world.signIn(code: nil)
      let request = RevocationRequest(of: "c0de", nil, at: .apple, by: ann.account.uid)
      _ = try await world.accounts.queueRevocation(
        of: Secret("r3fresh"), .refresh, clientID: "app", identity: identity(.apple, "apple-ann"),
        code: "c0de", request: request, forIDToken: ann.tokens.idToken, in: world.project,
        now: world.now)
      #expect(try await world.outbox().map(\.task.kind) == [.revoke])
      _ = try await world.signIn(code: "other")
      #expect(try await world.outbox().map(\.task.kind) == [.exchangeCode])
    }
  }

  @Test func `a code whose exchange is under way is waited for`() async throws {
    try await withAppleWorld { world in
      let ann = try await world.signIn(code: "c0de")
      #expect(try await world.claimed(after: 0).count == 1)
      guard case .inProgress = try await world.knownCode("c0de", by: ann) else {
        Issue.record("the exchange isn't waited for")
        return
      }
      #expect(try await world.outbox().count == 1)
    }
  }
}

// MARK: - The world with Apple

private func withAppleWorld(
  _ change: (inout ProviderConfiguration) -> Void = { _ in }, _ body: (World) async throws -> Void
) async throws {
  try await withWorld { world in
    try await world.configure(.apple) {
      $0.clientID = "web"
      $0.apple = .init(
        bundleIDs: ["app"], teamID: "T", keyID: "K", privateKey: Secret("a private key"))
      change(&$0)
    }
    try await body(world)
  }
}

extension World {
  fileprivate func configure(
    _ id: ProviderID, _ change: (inout ProviderConfiguration) -> Void
  ) async throws {
    let project = project.id
    var provider = try #require(try await store.read { try $0.provider(id, in: project) })
    change(&provider)
    let changed = provider
    try await store.write { try $0.save(changed, in: project) }
  }

  fileprivate func signIn(code: String?) async throws -> SignedIn {
    try await signIn(
      try identity(.apple, "apple-ann"),
      code: code.map { AuthorizationCode(Secret($0)) }
    ).signedIn()
  }

  fileprivate func disable(_ uid: UID) async throws {
    let project = project.id
    var account = try await stored(uid)
    account.isDisabled = true
    let changed = account
    try await store.write { try $0.save(changed, in: project) }
  }

  fileprivate func keep(
    _ token: String, of uid: UID, _ provider: ProviderID = .apple
  ) async throws {
    let token = ProviderToken(
      uid: uid, provider: provider, clientID: "web", subject: try subject("apple-ann"),
      token: Secret(token), codeDigest: nil, obtainedAt: now)
    let project = project.id
    try await store.write { try $0.save(token, in: project) }
  }

  /// Does what the worker does when the provider has answered.
  fileprivate func exchange(to token: String) async throws {
    try await exchange(try #require(try await outbox().first), to: token)
  }

  fileprivate func exchange(_ entry: OutboxEntry, to token: String) async throws {
    guard case .exchangeCode(let task) = entry.task else { return }
    let now = now
    try await store.write { transaction in
      let isQueued = try transaction.deleteOutboxEntry(entry.id)
      try transaction.keep(
        Secret(token), clientID: "app", of: task, entry: entry, isQueued: isQueued, now: now)
    }
  }

  fileprivate func knownCode(_ code: String, by user: SignedIn) async throws -> KnownCode {
    try await accounts.knownCode(
      code, of: RevocationRequest(of: code, nil, at: .apple, by: user.account.uid), at: .apple,
      in: project, now: now)
  }

  /// Records that the provider revoked the user's tokens.
  fileprivate func complete(at provider: ProviderID, by user: SignedIn) async throws {
    try await accounts.complete(
      RevocationRequest(of: "token", .refresh, at: provider, by: user.account.uid), at: provider,
      forgettingTokens: true, in: project, now: now)
  }

  /// What a worker claims then.
  fileprivate func claimed(after seconds: TimeInterval) async throws -> [OutboxEntry] {
    let time = now.addingTimeInterval(seconds)
    return try await store.write {
      try $0.claimOutboxEntries(.all, now: time, leases: OutboxLeases(), limit: 9)
    }
  }

  fileprivate func outbox() async throws -> [OutboxEntry] {
    try await store.read { try $0.outboxEntries(OutboxFilter(), limit: 100) }
  }

  fileprivate func providerTokens(of uid: UID) async throws -> [ProviderToken] {
    let project = project.id
    return try await store.read { try $0.providerTokens(of: uid, in: project) }
  }

  /// Of each queued revocation the provider, the subject, the token and the client.
  fileprivate func revocations() async throws -> [String] {
    try await outbox().compactMap { entry in
      guard case .revoke(let task) = entry.task else { return nil }
      var token = "grant"
      if case .token(let secret, .refresh) = task.target { token = secret.reveal() }
      return "\(task.provider) \(task.subject) \(token) \(task.clientID ?? "-")"
    }
  }
}
