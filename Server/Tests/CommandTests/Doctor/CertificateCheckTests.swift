import Foundation
import Testing

@testable import gatehouse

@Suite struct CertificateCheckTests {
  private static let end = Date(timeIntervalSince1970: 784_111_777)
  private static let day: TimeInterval = 86_400

  @Test(
    arguments: [
      (90, "ok"), (14, "ok"), (13.9, "warning"), (0.1, "warning"), (0, "failed"), (-1, "failed"),
    ] as [(Double, String)])
  func `a certificate that expires soon gives a warning, and an expired one fails`(
    _ days: Double, _ expected: String
  ) {
    let now = Self.end.addingTimeInterval(-days * Self.day)
    #expect(verdict([CertificateCheck.finding(expiresAt: Self.end, now: now)]) == expected)
  }

  @Test func `the expiry of a certificate is reported`() {
    let finding = CertificateCheck.finding(
      expiresAt: Self.end, now: Self.end.addingTimeInterval(-30.5 * Self.day))
    #expect(finding.detail == "valid until 1994-11-06T08:49:37Z, 30 days")
  }
}
