import Foundation
import GatehouseServer
import GatehouseProtocol
import GatehouseTokens
import Testing

@Suite struct DeliveryExecutorTests {
  private static let receiver = "https://api.example.com/events"
  private static let other = "https://other.example.com/events"

  @discardableResult
  private func add(
    _ url: String, to world: OutboxWorld, _ change: (inout Hook) -> Void = { _ in }
  ) async throws -> Hook {
    var hook = Hook(url: url, secrets: [.random()], createdAt: world.now)
    change(&hook)
    let project = world.project
    try await world.store.write { [hook] in try $0.save(hook, of: project) }
    return hook
  }

  private func record(
    _ kinds: [EventKind], of uid: String = "ann", in world: OutboxWorld
  ) async throws {
    let project = world.project
    let now = world.now
    try await world.store.write { transaction in
      for kind in kinds {
        try transaction.record(
          kind, of: kind.isAboutAccount ? UID(uid) : nil, details: ["provider": "google.com"],
          in: project, now: now)
      }
    }
    try await EventLinker(store: world.store).run()
  }

  private func bodies(_ url: String, _ world: OutboxWorld) throws -> [JSONObject] {
    try world.vendors.requests(to: url).map { request in
      try JSONObject(parsing: #require(request.content).bytes.reveal())
    }
  }

  private func kinds(_ url: String, _ world: OutboxWorld) throws -> [String?] {
    try bodies(url, world).map { $0["type"]?.string }
  }

  @Test func `an event arrives signed, with its token`() async throws {
    try await withOutbox { world in
      let hook = try await add(Self.receiver, to: world)
      world.vendors.on(Self.receiver, [:])
      try await record([.deleted], in: world)
      _ = try await world.worker().executeDue()
      let request = try #require(world.vendors.requests(to: Self.receiver).first)
      let content = try #require(request.content)
      #expect(content.type == "application/json")
      let headers = Dictionary(
        uniqueKeysWithValues: content.headers.map { ($0.name, $0.value.reveal()) })
      let id = try #require(headers["webhook-id"])
      let expected = WebhookSignature.headers(
        id: id, body: content.bytes.reveal(), secrets: hook.secrets, now: world.now)
      #expect(headers["webhook-signature"] == expected.last?.value.reveal())
      let body = try #require(try bodies(Self.receiver, world).first)
      #expect(body["type"]?.string == "account.deleted")
      #expect(body["timestamp"]?.string == "2027-01-15T08:00:00.000Z")
      #expect(body["data"]?.object?["uid"]?.string == "ann")
      #expect(body["data"]?.object?["details"]?.object?["provider"]?.string == "google.com")
      let token = try UnverifiedJWS(try #require(body["token"]?.string))
      let jws = try SignatureVerifier(keys: world.eventKeys.keySet).verify(token)
      #expect(jws.header.type == "secevent+jwt")
      let claims = try JSONObject(parsing: jws.payload)
      #expect(claims["jti"]?.string == id)
      #expect(claims["aud"]?.string == Self.receiver)
      #expect(claims["sub"] == nil && claims["exp"] == nil)
      #expect(claims["sub_id"]?.object?["sub"]?.string == "ann")
      #expect(
        claims["events"]?.object?.members.map(\.name) == [
          "https://schemas.openid.net/secevent/risc/event-type/account-purged",
          "urn:gatehouse:event:account.deleted",
        ])
      #expect(try await world.entries().isEmpty)
    }
  }

  @Test func `a hook that wants the token alone gets it as RFC 8935 pushes it`() async throws {
    try await withOutbox { world in
      try await add(Self.receiver, to: world) { $0.form = .token }
      world.vendors.on(Self.receiver, status: 202, [:])
      try await record([.tokensRevoked], in: world)
      _ = try await world.worker().executeDue()
      let content = try #require(world.vendors.requests(to: Self.receiver).first?.content)
      #expect(content.type == "application/secevent+jwt")
      _ = try SignatureVerifier(keys: world.eventKeys.keySet).verify(
        UnverifiedJWS(content.bytes.reveal()))
    }
  }

  @Test func `each hook gets the events that it wants`() async throws {
    try await withOutbox { world in
      try await add(Self.receiver, to: world)
      try await add(Self.other, to: world) { $0.kinds = [.deleted, .settingChanged] }
      for url in [Self.receiver, Self.other] { world.vendors.on(url, [:]) }
      try await record([.linked, .settingChanged, .deleted], in: world)
      for _ in 0..<5 { _ = try await world.worker().executeDue() }
      #expect(try kinds(Self.receiver, world) == ["account.linked", "account.deleted"])
      let other = Set(try kinds(Self.other, world))
      #expect(other == ["setting.changed", "account.deleted"])
    }
  }

  @Test func `while one is refused, later events of the account wait and others arrive`()
    async throws
  {
    try await withOutbox { world in
      try await add(Self.receiver, to: world) { $0.kinds = [.linked, .deleted, .disabled] }
      world.vendors.on(Self.receiver, status: 500, [:])
      try await record([.linked], in: world)
      _ = try await world.worker().executeDue()
      world.vendors.on(Self.receiver, [:])
      try await record([.deleted], in: world)
      try await record([.disabled], of: "bob", in: world)
      _ = try await world.worker().executeDue()
      #expect(try kinds(Self.receiver, world) == ["account.linked", "account.disabled"])
      world.advance(3600)
      for _ in 0..<3 { _ = try await world.worker().executeDue() }
      #expect(
        try kinds(Self.receiver, world)
          == ["account.linked", "account.disabled", "account.linked", "account.deleted"])
      #expect(try await world.entries().isEmpty)
    }
  }

  @Test func `a repeated delivery has the same id, and a new signature`() async throws {
    try await withOutbox { world in
      try await add(Self.receiver, to: world) { $0.kinds = [.linked] }
      try await record([.linked], in: world)
      _ = try await world.worker().executeDue()
      world.advance(3600)
      world.vendors.on(Self.receiver, [:])
      _ = try await world.worker().executeDue()
      let headers = world.vendors.requests(to: Self.receiver).compactMap(\.content).map { content in
        content.headers.map { $0.value.reveal() }
      }
      #expect(headers.count == 2)
      #expect(headers[0][0] == headers[1][0])
      #expect(headers[0][1] != headers[1][1])
    }
  }

  @Test(arguments: [302, 400, 410, 500])
  func `every other answer is tried again for two weeks, and then given up`(
    _ status: Int
  ) async throws {
    try await withOutbox { world in
      try await add(Self.receiver, to: world) { $0.kinds = [.linked] }
      world.vendors.on(Self.receiver, status: status, [:])
      try await record([.linked], in: world)
      _ = try await world.worker().executeDue()
      let waiting = try #require(try await world.entries().first)
      #expect(waiting.failedAt == nil)
      #expect(waiting.lastError == "the receiver responded with status \(status)")
      world.advance(14 * 86_400)
      _ = try await world.worker().executeDue()
      #expect(try await world.entries().first?.failedAt != nil)
    }
  }

  @Test func `a removed hook gets nothing, and a disabled one's deliveries are given up`()
    async throws
  {
    try await withOutbox { world in
      let removed = try await add(Self.receiver, to: world) { $0.kinds = [.linked] }
      var disabled = try await add(Self.other, to: world) { $0.kinds = [.linked] }
      for url in [Self.receiver, Self.other] { world.vendors.on(url, [:]) }
      try await record([.linked], in: world)
      disabled.isEnabled = false
      let project = world.project
      try await world.store.write { [disabled] transaction in
        _ = try transaction.deleteHook(removed.id, of: project)
        try transaction.save(disabled, of: project)
      }
      _ = try await world.worker().executeDue()
      let left = try await world.entries()
      #expect(left.map(\.lastError) == ["the hook is disabled"])
      #expect(world.vendors.requests(to: Self.receiver).isEmpty)
      #expect(world.vendors.requests(to: Self.other).isEmpty)
      try await record([.linked], in: world)
      #expect(try await world.entries().count == 1)
    }
  }

  @Test func `while a secret is replaced, both sign`() async throws {
    try await withOutbox { world in
      let old = WebhookSecret.random()
      let new = WebhookSecret.random()
      try await add(Self.receiver, to: world) { hook in
        hook.kinds = [.linked]
        hook.secrets = [.random(), old]
        hook.rotateSecret(to: new)
      }
      world.vendors.on(Self.receiver, [:])
      try await record([.linked], in: world)
      _ = try await world.worker().executeDue()
      let content = try #require(world.vendors.requests(to: Self.receiver).first?.content)
      let signatures = try #require(content.headers.last?.value.reveal()).split(separator: " ")
      #expect(signatures.count == Hook.maximumSecrets)
      let id = try #require(content.headers.first?.value.reveal())
      let ofNew = WebhookSignature.headers(
        id: id, body: content.bytes.reveal(), secrets: [new], now: world.now)
      #expect(ofNew.last?.value.reveal() == String(signatures[0]))
    }
  }
}
