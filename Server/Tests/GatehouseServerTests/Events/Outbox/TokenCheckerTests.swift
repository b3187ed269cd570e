import Foundation
import GatehouseServer
import GatehouseProtocol
import Logging
import Testing

@Suite struct TokenCheckerTests {
  private static let day = TokenChecker.intervalSeconds
  /// The environment can ask for more: `CHECKED_TOKENS=100000`.
  private static let tokensOfADay =
    ProcessInfo.processInfo.environment["CHECKED_TOKENS"].flatMap { Int($0) } ?? 2000

  @Test func `a token is checked a day after it was obtained, and not before`() async throws {
    try await withOutbox { world in
      let checker = world.checker()
      world.vendors.on(OutboxWorld.appleToken, ["access_token": "a"])
      try await world.keepToken("r3fresh")
      world.advance(Self.day)
      #expect(try await checker.checkDue() == 0)
      world.advance(1)
      #expect(try await checker.checkDue() == 1)
      #expect(world.vendors.fields("refresh_token", at: OutboxWorld.appleToken) == ["r3fresh"])
      #expect(world.vendors.fields("grant_type", at: OutboxWorld.appleToken) == ["refresh_token"])
      #expect(world.vendors.fields("client_id", at: OutboxWorld.appleToken) == ["com.example.app"])
      #expect(try await world.tokens().map(\.checkedAt) == [world.now])
    }
  }

  @Test func `invalid_grant ends the sessions that began with Apple, and forgets the token`()
    async throws
  {
    try await withOutbox { world in
      let checker = world.checker()
      world.vendors.on(OutboxWorld.appleToken, status: 400, ["error": "invalid_grant"])
      try await world.keepToken("r3fresh")
      let apple = try await world.begin(.apple)
      let password = try await world.begin(.password)
      world.advance(Self.day + 1)
      #expect(try await checker.checkDue() == 1)
      #expect(try await world.session(apple)?.ended?.reason == .revoked)
      #expect(try await world.session(password)?.ended == nil)
      #expect(try await world.tokens().isEmpty)
      #expect(try await world.ann()?.identities.first?.consentRevokedAt == world.now)
    }
  }

  @Test(
    arguments: [(.ignore, false), (.deleteAccount, true), (.endSessions, true)]
      as [(
        ProviderEventPolicy.Action, Bool
      )])
  func `a check ends sessions unless the policy says otherwise, and never deletes an account`(
    _ policy: ProviderEventPolicy.Action, _ ends: Bool
  ) async throws {
    try await withOutbox { world in
      try await world.change { $0.policies.providerEvents.consentRevoked = policy }
      let checker = world.checker()
      world.vendors.on(OutboxWorld.appleToken, status: 400, ["error": "invalid_grant"])
      try await world.keepToken("r3fresh")
      let apple = try await world.begin(.apple)
      world.advance(Self.day + 1)
      _ = try await checker.checkDue()
      #expect(try await world.ann() != nil)
      #expect((try await world.session(apple)?.ended != nil) == ends)
    }
  }

  @Test func `a refusal that follows from this server's own request ends no session`() async throws
  {
    try await withOutbox { world in
      let checker = world.checker()
      world.vendors.on(OutboxWorld.appleToken, status: 400, ["error": "invalid_grant"])
      try await world.keepToken("r3fresh")
      let apple = try await world.begin(.apple)
      world.advance(3600)
      let (project, now, ann) = (world.project, world.now, try #require(UID("ann")))
      try await world.store.write {
        try $0.expectRevocation(at: .apple, by: ann, in: project, now: now)
      }
      world.advance(Self.day)
      #expect(try await checker.checkDue() == 1)
      #expect(try await world.session(apple)?.ended == nil)
      #expect(try await world.tokens().isEmpty)
    }
  }

  @Test func `a user who signed in with Apple since the last check stays signed in`() async throws {
    try await withOutbox { world in
      let checker = world.checker()
      world.vendors.on(OutboxWorld.appleToken, status: 400, ["error": "invalid_grant"])
      try await world.keepToken("r3fresh")
      world.advance(3600)
      let apple = try await world.begin(.apple)
      world.advance(Self.day + 1)
      #expect(try await checker.checkDue() == 1)
      #expect(try await world.session(apple)?.ended == nil)
      #expect(try await world.tokens().isEmpty)
    }
  }

  @Test(
    arguments: [
      (400, ["error": "invalid_client"]), (429, [:]), (503, [:]), (400, ["error": "other"]),
    ] as [(Int, JSONObject)])
  func `another refusal ends nothing`(_ status: Int, _ json: JSONObject) async throws {
    try await withOutbox { world in
      let checker = world.checker()
      world.vendors.on(OutboxWorld.appleToken, status: status, json)
      try await world.keepToken("r3fresh")
      let apple = try await world.begin(.apple)
      world.advance(Self.day + 1)
      #expect(try await checker.checkDue() == 1)
      #expect(try await world.session(apple)?.ended == nil)
      #expect(try await world.tokens().count == 1)
    }
  }

  @Test func `a token that was renewed during its check ends nothing`() async throws {
    try await withOutbox { world in
      try await world.keepToken("old")
      let apple = try await world.begin(.apple)
      world.advance(Self.day + 1)
      let checker = world.checker()
      world.advance(1)
      let renewal = Renewal(world: world)
      let quiet = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
      let renewing = TokenChecker(
        store: world.store, federation: Federation(outbound: renewal, logger: quiet),
        refreshed: RefreshedAccounts(), perMinute: 60, clock: { world.now }, logger: quiet)
      world.advance(1)
      #expect(try await renewing.checkDue() == 1)
      #expect(try await world.tokens().map { $0.token.reveal() } == ["new"])
      #expect(try await world.session(apple)?.ended == nil)
      #expect(try await checker.checkDue() == 0)
    }
  }

  /// An Apple that refuses a token while the user signs in again.
  private struct Renewal: OutboundTransport {
    let world: OutboxWorld

    func send(_ request: OutboundRequest) async throws(OutboundError) -> OutboundResponse {
      do { try await world.keepToken("new") } catch { throw .timedOut(host: request.url.host) }
      return OutboundResponse(
        status: 400, body: (["error": "invalid_grant"] as JSONObject).serialized())
    }
  }

  @Test func `after a failure the check pauses, twice as long each time, and goes on`()
    async throws
  {
    try await withOutbox { world in
      let checker = world.checker(perMinute: 6000)
      try await world.keepTokens(20)
      world.advance(Self.day + 1)
      var asked: [Int] = []
      for _ in 0..<(4 * 60) {
        _ = try await checker.checkDue()
        asked.append(world.vendors.requests(to: OutboxWorld.appleToken).count)
        world.advance(1)
      }
      // All twenty are taken by the first batch; whatever happens, none is asked again that day.
      #expect(asked.last == 20)
      world.vendors.on(OutboxWorld.appleToken, ["access_token": "a"])
      world.advance(Self.day)
      #expect(try await checker.checkDue() == 20)
    }
  }

  @Test(arguments: [(OutboundError.busy, 2), (.timedOut(host: "appleid.apple.com"), 0)])
  func `a project's own limit of calls doesn't pause the checks, an Apple that doesn't answer does`(
    _ error: OutboundError, _ next: Int
  ) async throws {
    try await withOutbox { world in
      let checker = world.checker(perMinute: 60)
      world.vendors.on(OutboxWorld.appleToken) { _ throws(OutboundError) in throw error }
      try await world.keepTokens(80)
      world.advance(Self.day + 1)
      #expect(try await checker.checkDue() == 60)
      world.advance(2)
      #expect(try await checker.checkDue() == next)
    }
  }

  @Test func `if more than three of the last ten tokens are refused, no more sessions end`()
    async throws
  {
    try await withOutbox { world in
      let checker = world.checker(perMinute: 6000)
      world.vendors.on(OutboxWorld.appleToken, status: 400, ["error": "invalid_grant"])
      try await world.keepTokens(30)
      world.advance(Self.day + 1)
      #expect(try await checker.checkDue() == 30)
      #expect(try await world.tokens().count == 27)
    }
  }

  @Test func `a few refusals among valid tokens are believed, and more are not`() async throws {
    try await withOutbox { world in
      let checker = world.checker(perMinute: 6000)
      world.vendors.on(OutboxWorld.appleToken, ["access_token": "a"])
      try await world.keepTokens(40)
      world.advance(Self.day + 1)
      #expect(try await checker.checkDue() == 40)
      world.vendors.on(OutboxWorld.appleToken, status: 400, ["error": "invalid_grant"])
      world.advance(Self.day + 1)
      #expect(try await checker.checkDue() == 40)
      #expect(try await world.tokens().count == 37)
    }
  }

  @Test func `in a project with few tokens a doubted refusal counts on a later day`()
    async throws
  {
    try await withOutbox { world in
      let checker = world.checker(perMinute: 6000)
      try await world.keepTokens(6)
      world.refuse(["token0", "token1", "token2", "token3"])
      world.advance(Self.day + 1)
      #expect(try await checker.checkDue() == 6)
      // More than three at once are doubted.
      #expect(try await world.tokens().count == 3)
      // The two valid tokens are valid once more, perhaps after the refusal.
      world.advance(Self.day + 1)
      #expect(try await checker.checkDue() == 3)
      world.advance(Self.day + 1)
      _ = try await checker.checkDue()
      let kept = try await world.tokens().map { $0.token.reveal() }
      #expect(Set(kept) == ["token4", "token5"])
    }
  }

  @Test func `with a wrong key the same tokens stay doubted, day after day`() async throws {
    try await withOutbox { world in
      let checker = world.checker(perMinute: 6000)
      world.vendors.on(OutboxWorld.appleToken, ["access_token": "a"])
      try await world.keepTokens(6)
      world.advance(Self.day + 1)
      #expect(try await checker.checkDue() == 6)
      world.vendors.on(OutboxWorld.appleToken, status: 400, ["error": "invalid_grant"])
      for _ in 0..<20 {
        world.advance(Self.day + 1)
        _ = try await checker.checkDue()
      }
      #expect(try await world.tokens().count == 3)
    }
  }

  @Test func `refusals count again after the key was corrected`() async throws {
    try await withOutbox { world in
      let checker = world.checker(perMinute: 6000)
      try await world.keepTokens(5)
      world.refuse(["token0", "token1", "token2", "token3", "token4"])
      // The two doubted tokens count once each, however often they are refused.
      for _ in 0..<5 {
        world.advance(Self.day + 1)
        _ = try await checker.checkDue()
      }
      let doubted = try await world.tokens().map { $0.token.reveal() }
      #expect(doubted.count == 2)
      let withdrawn = try #require(doubted.first)
      world.refuse([withdrawn])
      for _ in 0..<2 {
        world.advance(Self.day + 1)
        _ = try await checker.checkDue()
      }
      #expect(try await world.tokens().map { $0.token.reveal() } == Array(doubted.dropFirst()))
    }
  }

  @Test func `an account that was refreshed is checked before others`() async throws {
    try await withOutbox { world in
      let refreshed = RefreshedAccounts()
      let checker = world.checker(perMinute: 1, refreshed: refreshed)
      world.vendors.on(OutboxWorld.appleToken, ["access_token": "a"])
      try await world.keepTokens(3)
      world.advance(Self.day)
      _ = try await checker.checkDue()
      world.advance(1)
      refreshed.insert(try #require(UID("user2")), in: world.project)
      #expect(try await checker.checkDue() > 0)
      #expect(
        world.vendors.fields("refresh_token", at: OutboxWorld.appleToken).first == "token2")
    }
  }

  @Test func `while an app moves to another team, its tokens aren't checked`() async throws {
    try await withOutbox { world in
      let checker = world.checker()
      try await world.keepToken("r3fresh")
      let project = world.project
      let transfer = SubjectTransfer(
        provider: .apple, oldSubject: try #require(Subject("ann")),
        transferSubject: try #require(Subject("t")), team: "TEAM222222",
        preparedAt: world.now)
      try await world.store.write { try $0.save(transfer, in: project) }
      world.advance(Self.day + 1)
      _ = try await checker.checkDue()
      #expect(world.vendors.requests(to: OutboxWorld.appleToken).isEmpty)
      // A transfer that was never finished doesn't prevent the checks for ever.
      world.advance(SubjectTransfer.maximumSeconds)
      _ = try await checker.checkDue()
      #expect(world.vendors.requests(to: OutboxWorld.appleToken).count == 1)
    }
  }

  @Test func `no token is checked twice in a day, and no minute has more checks than allowed`()
    async throws
  {
    try await withOutbox { world in
      world.vendors.on(OutboxWorld.appleToken, ["access_token": "a"])
      try await world.keepTokens(Self.tokensOfADay)
      world.advance(Self.day + 1)
      // Two servers over one database, one of which is restarted every hour.
      // A server that was restarted begins without an allowance.
      let perMinute = Self.tokensOfADay / (2 * 24 * 60 - 100) + 1
      let first = world.checker(perMinute: perMinute)
      var second = world.checker(perMinute: perMinute)
      var before = 0
      for minute in 0..<(24 * 60) {
        world.advance(60)
        if minute.isMultiple(of: 60) { second = world.checker(perMinute: perMinute) }
        try await withThrowingTaskGroup { group in
          for checker in [first, second] { group.addTask { _ = try await checker.checkDue() } }
          try await group.waitForAll()
        }
        let asked = world.vendors.requests(to: OutboxWorld.appleToken).count
        #expect(asked - before <= 2 * perMinute)
        before = asked
      }
      let tokens = world.vendors.fields("refresh_token", at: OutboxWorld.appleToken)
      #expect(tokens.count == Set(tokens).count)
      #expect(tokens.count == Self.tokensOfADay)
    }
  }
}

extension OutboxWorld {
  fileprivate func checker(
    perMinute: Int = 60, refreshed: RefreshedAccounts = RefreshedAccounts()
  ) -> TokenChecker {
    let quiet = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
    return TokenChecker(
      store: store, federation: Federation(outbound: vendors, logger: quiet),
      refreshed: refreshed, perMinute: perMinute, clock: { self.now }, logger: quiet)
  }

  fileprivate func keepToken(_ text: String) async throws {
    let project = project
    let token = ProviderToken(
      uid: try #require(UID("ann")), provider: .apple, clientID: "com.example.app",
      subject: try #require(Subject("ann")), token: Secret(text), codeDigest: nil, obtainedAt: now)
    try await store.write { try $0.save(token, in: project) }
  }

  /// `token0`, `token1` … of as many accounts.
  fileprivate func keepTokens(_ count: Int) async throws {
    let (project, now) = (project, now)
    try await store.write { transaction in
      for number in 0..<count {
        guard let uid = UID("user\(number)"), let subject = Subject("apple\(number)") else {
          continue
        }
        var account = Account(uid: uid, createdAt: now)
        account.identities = [LinkedIdentity(provider: .apple, subject: subject, linkedAt: now)]
        try transaction.save(account, in: project)
        try transaction.save(
          ProviderToken(
            uid: uid, provider: .apple, clientID: "com.example.app", subject: subject,
            token: Secret("token\(number)"), codeDigest: nil, obtainedAt: now),
          in: project)
      }
    }
  }

  /// Apple rejects these tokens, and accepts all others.
  fileprivate func refuse(_ tokens: Set<String>) {
    vendors.on(OutboxWorld.appleToken) { request throws(OutboundError) in
      let token = request.form?.first { $0.name == "refresh_token" }?.value.reveal() ?? ""
      let isValid = !tokens.contains(token)
      let json: JSONObject = isValid ? ["access_token": "a"] : ["error": "invalid_grant"]
      return OutboundResponse(status: isValid ? 200 : 400, body: json.serialized())
    }
  }

  fileprivate func begin(_ provider: ProviderID) async throws -> SessionID {
    let project = project
    var generator = SystemRandomNumberGenerator()
    let session = Session(
      id: SessionID(using: &generator), uid: try #require(UID("ann")), provider: provider,
      createdAt: now, authenticatedAt: now)
    try await store.write { try $0.insert(session, in: project) }
    return session.id
  }

  fileprivate func session(_ id: SessionID) async throws -> Session? {
    let project = project
    return try await store.read { try $0.session(id, in: project) }
  }

  fileprivate func ann() async throws -> Account? {
    let project = project
    let uid = try #require(UID("ann"))
    return try await store.read { try $0.account(uid, in: project) }
  }

  fileprivate func change(
    _ change: @escaping @Sendable (inout Project) -> Void
  ) async throws {
    let id = project
    try await store.write { transaction in
      guard var project = try transaction.project(id) else { return }
      change(&project)
      try transaction.save(project)
    }
  }
}
