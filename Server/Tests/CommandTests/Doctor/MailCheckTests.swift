import GatehouseServer
import Testing

@testable import gatehouse

@Suite struct MailCheckTests {
  @Test func `without a mail server there is nothing to correct`() {
    let finding = MailCheck.finding(nil)
    #expect(verdict([finding]) == "ok")
  }

  @Test(arguments: [(true, "ok"), (false, "warning")])
  func `a sender that Apple's relay doesn't know gives a warning`(
    _ isKnown: Bool, _ expected: String
  ) throws {
    let settings = MailSettings(
      route: .server(try SMTPServer(url: "smtps://mail.example.com")),
      from: try Mailbox(address: "noreply@example.com"), isKnownToAppleRelay: isKnown)
    #expect(verdict([MailCheck.finding(settings)]) == expected)
  }
}
