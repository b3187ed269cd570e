import GatehouseServer
import GatehouseProtocol
import Testing

@Suite struct MailboxTests {
  @Test(arguments: [
    ("ada@example.com", "ada@example.com"),
    ("a+b.c_d@mail.example.com", "a+b.c_d@mail.example.com"),
    ("a..b@example.com", "\"a..b\"@example.com"), (".a@example.com", "\".a\"@example.com"),
    ("a@xn--bcher-kva.example", "a@xn--bcher-kva.example"),
  ])
  func `an address is written with quotes only if it needs them`(
    text: String, written: String
  ) throws {
    #expect(try Mailbox(address: text).address == written)
  }

  @Test(arguments: [
    ("ada.example.com", MailboxFault.form), ("@example.com", .form), ("ada@", .form),
    ("ada@exa mple.com", .form), ("ada@-example.com", .form), ("ada@example..com", .form),
    ("ada@[192.0.2.1]", .form), ("ad\ra@example.com", .form),
    ("ada@example.com\r\nBcc: eve@example.com", .form), ("ada@example.com>", .form),
    ("<ada@example.com", .form), ("ad\u{0}a@example.com", .form),
    ("用户@example.com", .localPartNotASCII), ("zoë@example.com", .localPartNotASCII),
    ("ada@bücher.example", .domainNotASCII),
    (String(repeating: "a", count: 243) + "@example.com", .tooLong),
  ])
  func `an address that can't be sent to is refused`(text: String, fault: MailboxFault) {
    #expect(throws: fault) { try Mailbox(address: text) }
  }

  @Test(arguments: [
    ("用户@example.com", true), ("ada@example.com", false), ("a..b@example.com", false),
  ])
  func `a user's address says whether it needs SMTPUTF8`(_ text: String, _ isNeeded: Bool) throws {
    let mailbox = try Mailbox(recipient: try #require(EmailAddress(text)))
    #expect(mailbox.needsSMTPUTF8 == isNeeded)
  }

  @Test(arguments: [".用户@example.com", "用..户@example.com", "用户.@example.com"])
  func `beyond ASCII no dot stands alone`(_ text: String) throws {
    let email = try #require(EmailAddress(text))
    #expect(throws: MailboxFault.form) { try Mailbox(recipient: email) }
  }

  @Test func `an address of 254 bytes is accepted`() throws {
    let text = String(repeating: "a", count: 242) + "@example.com"
    #expect(try Mailbox(address: text).address == text)
  }

  @Test(arguments: [
    ("Ada\r\nBcc: eve@example.com", "Ada Bcc: eve@example.com"),
    ("Ada\u{0}\u{7}\u{85}\u{2028}L", "Ada L"), ("  Ada \t L ", "Ada L"),
    ("\u{202E}adA\u{2066}", "adA"), ("👩‍👩‍👧", "👩‍👩‍👧"),
  ])
  func `a name becomes one line`(name: String, shown: String) throws {
    #expect(try Mailbox(address: "ada@example.com", name: name).name == shown)
  }

  @Test(arguments: ["", " ", "\r\n\u{202E}"])
  func `a name without visible characters is none`(name: String) throws {
    #expect(try Mailbox(address: "ada@example.com", name: name).name == nil)
  }

  @Test func `a long name is cut`() throws {
    let name = String(repeating: "ă", count: 1000)
    #expect(try Mailbox(address: "ada@example.com", name: name).name?.count == 100)
  }
}
