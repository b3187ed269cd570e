import Foundation
import GatehouseServer
import GatehouseProtocol
import Testing

@Suite struct ForwardExecutorTests {
  private static let receiver = "https://hooks.example.com/apple"

  private func queue(_ world: OutboxWorld, _ provider: String = "apple.com") async throws {
    try await world.queue(
      #"{"kind":"forward-notification","provider":"\#(provider)","subject":"ann","jws":"j.w.s"}"#)
  }

  private func name(
    _ url: String?, _ world: OutboxWorld, _ id: ProviderID = .apple
  ) async throws {
    let project = world.project
    try await world.store.write { transaction in
      guard var provider = try transaction.provider(id, in: project) else { return }
      provider.notificationForwardURL = url
      try transaction.save(provider, in: project)
    }
  }

  @Test func `Apple's notification is passed on in Apple's form`() async throws {
    try await withOutbox { world in
      try await name(Self.receiver, world)
      world.vendors.on(Self.receiver, [:])
      try await queue(world)
      _ = try await world.worker().executeDue()
      let content = try #require(world.vendors.requests(to: Self.receiver).first?.content)
      #expect(content.type == "application/json")
      #expect(String(decoding: content.bytes.reveal(), as: UTF8.self) == #"{"payload":"j.w.s"}"#)
      #expect(try await world.entries().isEmpty)
    }
  }

  @Test func `Google's is passed on as a security event token`() async throws {
    try await withOutbox { world in
      try await name(Self.receiver, world, .google)
      world.vendors.on(Self.receiver, status: 202, [:])
      try await queue(world, "google.com")
      _ = try await world.worker().executeDue()
      let content = try #require(world.vendors.requests(to: Self.receiver).first?.content)
      #expect(content.type == "application/secevent+jwt")
      #expect(String(decoding: content.bytes.reveal(), as: UTF8.self) == "j.w.s")
      #expect(try await world.entries().isEmpty)
    }
  }

  @Test(arguments: [302, 400, 404, 500]) func `a refusal is retried`(_ status: Int) async throws {
    try await withOutbox { world in
      try await name(Self.receiver, world)
      world.vendors.on(Self.receiver, status: status, [:])
      try await queue(world)
      _ = try await world.worker().executeDue()
      let entry = try await world.entries().first
      #expect(entry?.lastError == "the receiver responded with status \(status)")
      #expect(entry?.failedAt == nil)
    }
  }

  @Test func `when the receiver was removed, the notification is given up`() async throws {
    try await withOutbox { world in
      try await queue(world)
      _ = try await world.worker().executeDue()
      #expect(try await world.entries().first?.failedAt == world.now)
    }
  }
}
