import Foundation
import GatehouseServer
import Testing

@Suite struct ClockComparisonTests {
  private static let now = Date(timeIntervalSince1970: 1_800_000_000)

  /// A database whose clock shows a time of its own.
  private struct ClockStore: Store {
    var time: Date?
    var failure: StoreError?

    func databaseTime() async throws -> Date? {
      if let failure { throw failure }
      return time
    }

    func write<Result: Sendable>(
      _ body: @escaping @Sendable (Transaction) throws -> Result
    ) async throws -> Result { throw StoreError.closed }

    func read<Result: Sendable>(
      _ body: @escaping @Sendable (Transaction) throws -> Result
    ) async throws -> Result { throw StoreError.closed }

    func changeCounter() async throws -> Int64 { 0 }

    func close() async {}
  }

  /// - Parameter ahead: How far this clock is ahead of the database's, in seconds.
  private func comparison(
    ahead: TimeInterval, others: [TimeInterval] = []
  ) async throws -> ClockComparison {
    let comparison = ClockComparison(ClockStore(time: Self.now - ahead))
    try await comparison.compare({ Self.now }, others: { _ in others })
    return comparison
  }

  @Test(arguments: [
    (0, ClockComparison.Verdict.right), (14, .right), (15, .strange), (-15, .strange),
    (60, .strange), (-60, .strange), (61, .wrong), (-61, .wrong),
  ])
  func `from a quarter of the tolerance on the clock is strange, and beyond it wrong`(
    _ ahead: TimeInterval, _ verdict: ClockComparison.Verdict
  ) async throws {
    let comparison = try await comparison(ahead: ahead)
    #expect(comparison.verdict == verdict)
    #expect(comparison.offset == ahead)
  }

  @Test func `only a wrong clock makes the server unready, and only while it is wrong`()
    async throws
  {
    try await comparison(ahead: 60).check()
    let wrong = try await comparison(ahead: 90)
    #expect(
      throws: StoreError.unavailable(
        "this server's clock is 90 s ahead of the database's: others refuse its tokens. Synchronize the "
          + "clock (timedatectl set-ntp true, or chrony)")
    ) { try wrong.check() }
    // The clock was set.
    try await wrong.compare({ Self.now - 90 }, others: { _ in [] })
    try wrong.check()
    #expect(wrong.verdict == .right)
  }

  @Test(arguments: [
    ([90, 91], ClockComparison.Verdict.databaseIsWrong), ([90], .databaseIsWrong),
    ([90, 0], .wrong), ([0, 0], .wrong), ([-90, -90], .wrong), ([90, 90, 0], .databaseIsWrong),
  ])
  func `if most servers differ from the database alike, its clock is the wrong one`(
    _ others: [TimeInterval], _ verdict: ClockComparison.Verdict
  ) async throws {
    #expect(try await comparison(ahead: 90, others: others).verdict == verdict)
  }

  @Test func `a slow response is not a wrong clock`() {
    let sent = Self.now
    let received = sent + 300
    for theirs in [sent, sent + 150, received] {
      #expect(ClockComparison.offset(of: theirs, between: sent, and: received) == 0)
    }
    #expect(ClockComparison.offset(of: sent - 61, between: sent, and: received) == 61)
    #expect(ClockComparison.offset(of: received + 61, between: sent, and: received) == -61)
  }

  @Test func `a database without a clock of its own, or without a response, changes nothing`()
    async throws
  {
    let own = ClockComparison(ClockStore(time: nil))
    try await own.compare({ Self.now }, others: { _ in [] })
    #expect(own.offset == nil)
    try own.check()
    let failure = StoreError.unavailable("no connection")
    let silent = ClockComparison(ClockStore(time: nil, failure: failure))
    await #expect(throws: failure) { try await silent.compare({ Self.now }, others: { _ in [] }) }
    try silent.check()
  }
}
