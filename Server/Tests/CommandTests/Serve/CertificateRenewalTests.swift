import Foundation
import Testing

@testable import gatehouse

@Suite struct CertificateRenewalTests {
  private let expiry = Date(timeIntervalSince1970: 1_800_000_000)
  private let day: TimeInterval = 86_400

  @Test func `a server that began long before the expiry warns in the last week, once a day`() {
    var reminder = ExpiryReminder()
    let hours = stride(from: -30 * day, through: 2 * day, by: 3600)
    let warnings = hours.filter { reminder.isDue(expiry: expiry, now: expiry + $0) }
    #expect(warnings.first == -7 * day + 3600)
    #expect(warnings.count == 9)
    #expect(zip(warnings, warnings.dropFirst()).allSatisfy { $1 - $0 == day })
  }

  @Test func `a renewed certificate ends the warnings`() {
    var reminder = ExpiryReminder()
    let before = reminder.isDue(expiry: expiry, now: expiry - day)
    let renewed = reminder.isDue(expiry: expiry + 90 * day, now: expiry + day)
    let notRenewed = reminder.isDue(expiry: expiry, now: expiry + day)
    #expect([before, renewed, notRenewed] == [true, false, true])
  }
}
