import Foundation
import GatehouseServer
import Testing

@testable import gatehouse

@Suite struct ClockCheckTests {
  /// Sun, 06 Nov 1994 08:49:37 GMT
  private static let date = "Sun, 06 Nov 1994 08:49:37 GMT"
  private static let time = Date(timeIntervalSince1970: 784_111_777)

  private func check(_ offsets: Double...) -> [Finding] {
    ClockCheck.findings(offsets.map { (Self.date, Self.time.addingTimeInterval($0)) })
  }

  @Test(arguments: [
    (0, "ok"), (4, "ok"), (-4, "ok"), (5, "warning"), (-5, "warning"), (59, "warning"),
    (60, "failed"), (-3600, "failed"),
  ])
  func `the verdict depends on the clock's difference`(_ seconds: Double, _ expected: String) {
    #expect(verdict(check(seconds)) == expected)
  }

  @Test func `the direction of the difference is reported`() {
    #expect(check(90).first?.detail == "90 seconds ahead: valid tokens are rejected")
    #expect(check(-90).first?.detail == "90 seconds behind: valid tokens are rejected")
  }

  @Test func `one wrong clock among the others doesn't matter`() {
    #expect(verdict(check(1, 86_400, 0)) == "ok")
  }

  @Test(arguments: ["", "now", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun, 06 Foo 1994 08:49:37 GMT"])
  func `a date in another form than HTTP's is ignored`(_ text: String) {
    #expect(verdict(ClockCheck.findings([(text, Self.time)])) == "warning")
  }
}
