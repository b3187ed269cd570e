import GatehouseServer
import Foundation
import GatehouseTokens
import Testing

@Suite struct SigningKeyRingTests {
  private static let day = 86_400.0
  private static let start = Date(timeIntervalSince1970: 1_700_000_000)

  private func after(days: Double, seconds: Double = 0) -> Date {
    Self.start.addingTimeInterval(days * Self.day + seconds)
  }

  /// A ring that has signed with "a" since the start.
  private func fresh() -> SigningKeyRing {
    var ring = SigningKeyRing(schedule: .idTokens)
    _ = ring.add(keyID: "a", now: Self.start)
    return ring
  }

  /// The same with "b" published after 29 days.
  private func withNext() -> SigningKeyRing {
    var ring = fresh()
    _ = ring.add(keyID: "b", now: after(days: 29))
    return ring
  }

  @Test func `an empty ring asks for a key and signs with it at once`() {
    var ring = SigningKeyRing(schedule: .idTokens)
    #expect(ring.advance(now: Self.start) == [.generate])
    #expect(ring.activeKeyID == nil)
    #expect(ring.add(keyID: "a", now: Self.start) == [.activate("a")])
    #expect(ring.activeKeyID == "a")
    #expect(ring.advance(now: Self.start) == [])
  }

  @Test(
    arguments: [(0, []), (28.9, []), (29, [.generate]), (100, [.generate])]
      as [(Double, [SigningKeyRing.Action])])
  func `the next key is requested a day before it signs`(
    days: Double, actions: [SigningKeyRing.Action]
  ) {
    var ring = fresh()
    #expect(ring.advance(now: after(days: days)) == actions)
    #expect(ring.activeKeyID == "a")
  }

  @Test func `the next key is published and doesn't sign`() {
    var ring = withNext()
    #expect(ring.advance(now: after(days: 29)) == [])
    #expect(ring.activeKeyID == "a")
    #expect(ring.publishedKeyIDs == ["a", "b"])
  }

  @Test(
    arguments: [(-1, []), (0, [.retire("a"), .activate("b")])]
      as [(Double, [SigningKeyRing.Action])])
  func `the next key signs after thirty days, to the second`(
    offset: Double, actions: [SigningKeyRing.Action]
  ) {
    var ring = withNext()
    #expect(ring.advance(now: after(days: 30, seconds: offset)) == actions)
    #expect(ring.activeKeyID == (actions.isEmpty ? "a" : "b"))
    #expect(ring.publishedKeyIDs.sorted() == ["a", "b"])
  }

  @Test func `a key created late is still published for a day before it signs`() {
    var ring = fresh()
    #expect(ring.add(keyID: "b", now: after(days: 40)) == [])
    #expect(ring.advance(now: after(days: 41, seconds: -1)) == [])
    #expect(ring.advance(now: after(days: 41)) == [.retire("a"), .activate("b")])
  }

  @Test(arguments: [(-1, []), (0, [.remove("a")])] as [(Double, [SigningKeyRing.Action])])
  func `a retired key stays until a day after its last token has expired`(
    offset: Double, actions: [SigningKeyRing.Action]
  ) {
    var ring = withNext()
    _ = ring.advance(now: after(days: 30))
    #expect(ring.advance(now: after(days: 31, seconds: 3600 + offset)) == actions)
    #expect(ring.publishedKeyIDs == (actions.isEmpty ? ["b", "a"] : ["b"]))
  }

  @Test func `keys of session cookies stay fifteen days`() {
    var ring = SigningKeyRing(schedule: .sessionCookies)
    _ = ring.add(keyID: "a", now: Self.start)
    _ = ring.add(keyID: "b", now: after(days: 29))
    _ = ring.advance(now: after(days: 30))
    #expect(ring.advance(now: after(days: 45, seconds: -1)) == [])
    #expect(ring.advance(now: after(days: 45)) == [.remove("a")])
  }

  @Test func `two servers that generate at once add one key`() {
    var ring = withNext()
    #expect(ring.add(keyID: "c", now: after(days: 29)) == [])
    #expect(ring.publishedKeyIDs == ["a", "b"])
    var twice = fresh()
    _ = twice.add(keyID: "a", now: after(days: 29))
    #expect(twice.records.count == 1)
  }

  @Test func `a clock that goes back changes nothing`() {
    var ring = withNext()
    _ = ring.advance(now: after(days: 30))
    let before = ring
    #expect(ring.advance(now: after(days: 10)) == [])
    #expect(ring == before)
  }

  @Test func `rotating now activates the next key ahead of the schedule`() {
    var ring = withNext()
    let actions = ring.rotateNow(now: after(days: 29), discardingAll: false)
    #expect(actions == [.retire("a"), .activate("b")])
    #expect(ring.publishedKeyIDs == ["b", "a"])
  }

  @Test func `rotating now without a next key asks for one, which signs at once`() {
    var ring = fresh()
    #expect(
      ring.rotateNow(now: after(days: 1), discardingAll: false) == [.retire("a"), .generate])
    #expect(ring.add(keyID: "b", now: after(days: 1)) == [.activate("b")])
  }

  @Test func `discarding all removes every old key`() {
    var ring = withNext()
    #expect(
      ring.rotateNow(now: after(days: 29), discardingAll: true)
        == [.remove("a"), .remove("b"), .generate])
    #expect(ring.publishedKeyIDs.isEmpty)
    #expect(ring.add(keyID: "c", now: after(days: 29)) == [.activate("c")])
  }

  @Test func `a ring can be restored from its records`() {
    let ring = withNext()
    #expect(SigningKeyRing(schedule: .idTokens, records: ring.records) == ring)
  }

  @Test func `a year of hourly advances always has one key that signs`() {
    var ring = SigningKeyRing(schedule: .idTokens)
    var made = 0
    for hour in 0..<(24 * 365) {
      let now = Self.start.addingTimeInterval(Double(hour) * 3600)
      for action in ring.advance(now: now) where action == .generate {
        made += 1
        _ = ring.add(keyID: "key-\(made)", now: now)
      }
      #expect(ring.activeKeyID != nil)
      #expect(ring.records.count <= 3)
    }
    #expect(made == 13)
  }
}
