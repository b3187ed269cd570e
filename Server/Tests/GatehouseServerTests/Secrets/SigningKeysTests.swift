import Foundation
import GatehouseServer
import GatehouseProtocol
import GatehouseTokens
import Testing

/// The ring of signing keys in a store. Generating keys is slow, so there are few tests, each with
/// many steps.
@Suite struct SigningKeysTests {
  private static let start = Date(timeIntervalSince1970: 1_800_000_000)
  private static let hour: TimeInterval = 3600
  private static let day = 24 * hour

  private func open(_ store: any Store, at time: Date = start) async throws -> SigningKeys {
    try await SigningKeys.open(.idTokens, store: store, forms: PlainForms(), now: time)
  }

  /// Returns the key's id and time instead of a certificate.
  private struct PlainForms: SigningKeyForms {
    func signer(with key: SigningKey) -> any TokenSigner {
      switch key {
      case .rsa(let key): RS256Signer(key: key)
      case .p256(let key): ES256Signer(key: key)
      }
    }

    func certificate(of key: SigningKey, publishedAt: Date) -> String {
      "\(key.keyID) \(publishedAt.timeIntervalSince1970)"
    }
  }

  private func rotation(_ store: any Store) -> SigningKeyRotation {
    SigningKeyRotation(ring: .idTokens, store: store)
  }

  @Test func `keys are published a day ahead, sign, and stay until their tokens expire`()
    async throws
  {
    try await withStore { store, _ in
      let keys = try await open(store)
      let first = try #require(keys.published.first).keyID
      #expect(keys.published.count == 1)
      #expect(keys.writer.signer.keyID == first)

      try await keys.refresh(now: Self.start + 29 * Self.day - 1)
      #expect(keys.published.count == 1)

      try await keys.refresh(now: Self.start + 29 * Self.day)
      #expect(keys.published.count == 2)
      #expect(keys.writer.signer.keyID == first)
      let second = try #require(keys.published.last).keyID

      try await keys.refresh(now: Self.start + 30 * Self.day - 1)
      #expect(keys.writer.signer.keyID == first)

      try await keys.refresh(now: Self.start + 30 * Self.day)
      #expect(keys.writer.signer.keyID == second)
      #expect(Set(keys.published.map(\.keyID)) == [first, second])
      #expect(keys.keySet.keys.count == 2)

      try await keys.refresh(now: Self.start + 31 * Self.day + Self.hour - 1)
      #expect(keys.published.count == 2)

      try await keys.refresh(now: Self.start + 31 * Self.day + Self.hour)
      #expect(keys.published.map(\.keyID) == [second])
      let stored = try await store.read { try $0.signingKeys(of: .idTokens) }
      #expect(stored.map(\.keyID) == [second])
    }
  }

  @Test func `a server that starts again has the same key`() async throws {
    try await withStore { store, _ in
      let first = try await open(store)
      let again = try await open(store, at: Self.start + Self.day)
      #expect(again.published.map(\.keyID) == first.published.map(\.keyID))
      #expect(again.document == first.document)
      let record = try #require(try await store.read { try $0.signingKeys(of: .idTokens) }.first)
      let certificate = "\(record.keyID) \(record.publishedAt.timeIntervalSince1970)"
      #expect(first.published.map(\.certificate) == [certificate])
      #expect(again.published.map(\.certificate) == [certificate])
    }
  }

  @Test func `two processes that start at once create one key`() async throws {
    try await withStore { store, _ in
      let rotation = rotation(store)
      let results = await atOnce(2) { _ in
        try await rotation.run(now: Self.start).map(\.keyID)
      }
      let keyIDs: [[String]] = results.successes()
      #expect(keyIDs.count == 2)
      #expect(Set(keyIDs).count == 1)
      #expect(keyIDs.first?.count == 1)
    }
  }

  @Test func `two processes that rotate at once add one key`() async throws {
    try await withStore { store, _ in
      let keys = try await open(store)
      let rotation = rotation(store)
      let results = await atOnce(2) { _ in
        try await rotation.run(now: Self.start + 29 * Self.day).map(\.keyID)
      }
      let keyIDs: [[String]] = results.successes()
      #expect(keyIDs.count == 2)
      #expect(Set(keyIDs).count == 1)
      #expect(keyIDs.first?.count == 2)
      try await keys.refresh(now: Self.start + 29 * Self.day)
      #expect(keys.published.count == 2)
    }
  }

  @Test func `discarding keeps only the new key, and other processes load it`() async throws {
    try await withStore { store, _ in
      let other = try await open(store)
      let old = try #require(other.published.first).keyID
      let records = try await rotation(store).rotate(now: Self.start + 1, discardingAll: true)
      #expect(records.count == 1)
      #expect(records.first?.keyID != old)
      try await other.refresh(now: Self.start + 2)
      #expect(other.published.map(\.keyID) == records.map(\.keyID))
    }
  }

  @Test func `an announced rotation publishes the key two hours before it signs`() async throws {
    try await withStore { store, _ in
      let keys = try await open(store)
      let old = try #require(keys.published.first).keyID
      let records = try await rotation(store).rotateSoon(now: Self.start + 1)
      let next = try #require(records.first { $0.activatedAt == nil })
      #expect(next.signsFrom == Self.start + 7201)
      for (now, signer, count) in [(1.0, old, 2), (7200, old, 2), (7201, next.keyID, 2)] {
        try await keys.refresh(now: Self.start + now)
        #expect(keys.writer.signer.keyID == signer)
        #expect(keys.published.count == count)
      }
      // Its successor follows the schedule again.
      try await keys.refresh(now: Self.start + 7201 + 29 * Self.day)
      #expect(keys.writer.signer.keyID == next.keyID)
    }
  }

  @Test func `a second announcement keeps the time; a published key becomes active`() async throws {
    try await withStore { store, _ in
      let keys = try await open(store)
      _ = try await rotation(store).rotateSoon(now: Self.start + 1)
      let again = try await rotation(store).rotateSoon(now: Self.start + 3600)
      #expect(again.count == 2)
      #expect(again.last?.signsFrom == Self.start + 7201)
      let first = try await rotation(store).rotateSoon(now: Self.start + 7201)
      let active = first.first { $0.activatedAt != nil && $0.retiredAt == nil }
      #expect(active?.keyID == again.last?.keyID)
      try await keys.refresh(now: Self.start + 7201)
      #expect(keys.writer.signer.keyID == active?.keyID)
    }
  }

  @Test func `a rotation ahead of time keeps the old key published`() async throws {
    try await withStore { store, _ in
      let keys = try await open(store)
      let old = try #require(keys.published.first).keyID
      _ = try await rotation(store).rotate(now: Self.start + 1, discardingAll: false)
      try await keys.refresh(now: Self.start + 1)
      #expect(keys.writer.signer.keyID != old)
      #expect(keys.published.count == 2)
      #expect(keys.published.last?.keyID == old)
    }
  }

  @Test func `the two rings share no key`() async throws {
    try await withStore { store, _ in
      let tokens = try await open(store)
      let cookies = try await SigningKeys.open(
        .sessionCookies, store: store, forms: PlainForms(), now: Self.start)
      #expect(tokens.published.map(\.keyID) != cookies.published.map(\.keyID))
    }
  }
}
