import Foundation
import GatehouseServer
import GatehouseProtocol
import Testing

@Suite struct MailMessageTests {
  @Test func `a message without HTML has one part`() throws {
    let mail = try sample(MailContent(subject: "Hello", text: "Hi\n", html: nil))
    #expect(
      mail == """
        Date: Wed, 1 Jan 2020 00:00:00 +0000\r
        From: Example <noreply@example.com>\r
        To: ada@example.com\r
        Message-ID: <msg-1@example.com>\r
        Subject: Hello\r
        Auto-Submitted: auto-generated\r
        X-Auto-Response-Suppress: All\r
        Content-Language: en\r
        MIME-Version: 1.0\r
        Content-Type: text/plain; charset=utf-8\r
        Content-Transfer-Encoding: quoted-printable\r
        \r
        Hi\r\n
        """)
  }

  @Test(arguments: [
    ("a\r\nb\rc\nd", "a\r\nb\r\nc\r\nd\r\n"), ("end \n\t\nx=y", "end=20\r\n=09\r\nx=3Dy\r\n"),
    (".\n..", ".\r\n..\r\n"), ("ü\u{2028}", "=C3=BC=E2=80=A8\r\n"), ("\u{0}\u{7F}", "=00=7F\r\n"),
    ("a\n\n", "a\r\n\r\n"), ("e\u{301}", "e=CC=81\r\n"),
    (String(repeating: "x", count: 76), String(repeating: "x", count: 76) + "\r\n"),
    (
      String(repeating: "x", count: 77),
      String(repeating: "x", count: 75) + "=\r\nxx\r\n"
    ),
    // The euro sign has nine characters, and isn't divided.
    (
      String(repeating: "x", count: 67) + "€y",
      String(repeating: "x", count: 67) + "=\r\n=E2=82=ACy\r\n"
    ),
  ])
  func `text is quoted-printable`(text: String, encoded: String) throws {
    let mail = try sample(MailContent(subject: "Hello", text: text, html: nil))
    #expect(
      mail.components(separatedBy: "\r\n\r\n").dropFirst().joined(separator: "\r\n\r\n") == encoded)
  }

  @Test func `text can't contain the boundary`() throws {
    let mail = try sample(
      MailContent(subject: "Hello", text: "--=_gatehouse_alternatives--\n", html: "<p>"))
    #expect(mail.components(separatedBy: "\r\n--=_gatehouse_alternatives").count == 4)
  }

  @Test(arguments: [
    ("Hello", "Hello"), ("=?utf-8?q?Bcc?=", "=?UTF-8?B?PT91dGYtOD9xP0JjYz89?="),
    ("Hello\r\nBcc: eve@example.com", "Hello Bcc: eve@example.com"), ("ü", "=?UTF-8?B?w7w=?="),
    ("a\u{202E}b\u{0}c", "ab c"),
  ])
  func `a subject is one line`(subject: String, written: String) throws {
    let mail = try sample(MailContent(subject: subject, text: "Hi", html: nil))
    #expect(mail.contains("\r\nSubject: \(written)\r\nAuto-Submitted"))
  }

  @Test(arguments: [
    ("Ada Lovelace", "Ada Lovelace"), ("Lovelace, Ada", "\"Lovelace, Ada\""),
    ("A \"B\" \\", "\"A \\\"B\\\" \\\\\""), ("J. R.", "\"J. R.\""),
    ("eve@example.com", "\"eve@example.com\""), ("Nguyễn", "=?UTF-8?B?Tmd1eeG7hW4=?="),
    ("=?utf-8?q?x?=", "=?UTF-8?B?PT91dGYtOD9xP3g/PQ==?="),
  ])
  func `a display name is a phrase`(name: String, written: String) throws {
    let mail = try sample(
      MailContent(subject: "Hello", text: "Hi", html: nil), name: name)
    #expect(mail.contains("\r\nFrom: \(written) <noreply@example.com>\r\n"))
  }

  @Test func `a long name is folded into words of at most 75 characters`() throws {
    let mail = try sample(
      MailContent(subject: String(repeating: "Mật khẩu ", count: 30), text: "Hi", html: nil),
      name: String(repeating: "Nguyễn ", count: 14))
    let head = mail.components(separatedBy: "\r\n\r\n")[0].components(separatedBy: "\r\n")
    #expect(head.allSatisfy { $0.utf8.count <= 78 })
    #expect(
      head.flatMap { $0.split(separator: " ") }.filter { $0.hasPrefix("=?") }
        .allSatisfy { $0.utf8.count <= 75 })
  }

  @Test func `a message id has no other characters`() {
    #expect(MessageID(unique: "a-1", domain: "example.com")?.text == "a-1@example.com")
    #expect(MessageID(unique: "a>\r\n", domain: "example.com") == nil)
    #expect(MessageID(unique: "", domain: "example.com") == nil)
    #expect(MessageID(unique: "a-1", domain: "example com") == nil)
  }
}

private func sample(_ content: MailContent, name: String = "Example") throws -> String {
  let message = MailMessage(
    from: try Mailbox(address: "noreply@example.com", name: name),
    to: try Mailbox(address: "ada@example.com"), content: Secret(content), language: .english,
    id: try #require(MessageID(unique: "msg-1", domain: "example.com")),
    date: Date(timeIntervalSince1970: 1_577_836_800))
  return String(decoding: message.composed.bytes.reveal(), as: UTF8.self)
}
