import Foundation
import GatehouseServer
import Testing

@testable import gatehouse

@Suite struct OutboxCheckTests {
  private static let now = Date(timeIntervalSince1970: 1_800_000_000)

  private func check(live: Int, failed: Int, age: TimeInterval?) -> String {
    verdict([
      OutboxCheck.finding(
        [
          OutboxCount(kind: .exchangeCode, live: 0, failed: 0, oldestAt: nil),
          OutboxCount(
            kind: .revoke, live: live, failed: failed,
            oldestAt: age.map { Self.now.addingTimeInterval(-$0) }),
        ], now: Self.now)
    ])
  }

  @Test func `an entry that was given up, or has waited for over an hour, gives a warning`() {
    #expect(check(live: 0, failed: 0, age: nil) == "ok")
    #expect(check(live: 2, failed: 0, age: 3600) == "ok")
    #expect(check(live: 2, failed: 0, age: 3601) == "warning")
    #expect(check(live: 0, failed: 1, age: nil) == "warning")
  }

  @Test func `emails that were given up give no warning`() {
    let refused = OutboxCount(kind: .sendMail, live: 0, failed: 3, oldestAt: nil)
    #expect(verdict([OutboxCheck.finding([refused], now: Self.now)]) == "ok")
  }
}
