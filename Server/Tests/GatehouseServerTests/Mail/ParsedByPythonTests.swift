import Foundation
import GatehouseServer
import GatehouseProtocol
import Testing

/// Python's `email` reads every mail as it was meant, with its strict policy.
@Suite struct ParsedByPythonTests {
  private static let names = [
    "Ada", "Nguyễn Văn Ánh", "Lovelace, Ada \"Countess\" <x>", "=?utf-8?q?Bcc?=", "李小龙 👩‍👩‍👧",
    "Ada\r\nBcc: eve@example.com", "<script>alert(1)</script>", "\"\u{338} onload=\"x",
    "</p><a href='x'>", "{{link}} %LINK% {{{code}}}", "\u{202E}evil\u{0}", "&lt;b&gt; &amp;",
    "Win http://evil.example", String(repeating: "ă ", count: 31),
  ]

  @Test func `every kind in every language with hostile names`() async throws {
    let folder = FileManager.default.temporaryDirectory
      .appending(path: "gatehouse-mails-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let templates = try MailTemplates()
    var number = 0
    for kind in MailKind.allCases {
      for language in MailTemplates.builtInLanguages {
        for name in Self.names {
          number += 1
          let found = templates.template(for: kind, languages: [language.text])
          let sample = try Sample(number, found.template, language, name)
          try sample.write(to: folder)
        }
      }
    }
    let output = try await PythonProgram.run("parse_mails.py", [folder.path])
    #expect(output == "\(number) mails\n")
  }
}

/// A mail, and what a reader should find in it.
private struct Sample {
  private let number: Int
  private let message: MailMessage
  private let wanted: [String: Any]

  /// - Parameter name: Of the app, the user, the provider and both mailboxes.
  init(
    _ number: Int, _ template: MailTemplate, _ language: MailLanguage, _ name: String
  ) throws {
    self.number = number
    let content = template.rendered(Self.values(name), in: language)
    let harmless = template.rendered(
      Self.values("Ada", showsName: Self.showsName(name)), in: language)
    let hasHTML = !number.isMultiple(of: 5)
    let hasReply = number.isMultiple(of: 2)
    let sent = MailContent(
      subject: content.reveal().subject, text: content.reveal().text,
      html: hasHTML ? content.reveal().html : nil)
    let (from, to) = (
      try Mailbox(address: "noreply@example.com", name: name),
      try Mailbox(address: "a..b+c@example.com", name: name)
    )
    message = MailMessage(
      from: from, to: to, content: Secret(sent), language: language,
      id: try #require(MessageID(unique: "msg-\(number)", domain: "example.com")),
      date: Date(timeIntervalSince1970: 1_577_836_800 + Double(number)),
      replyTo: hasReply ? from : nil)
    var fields = [
      "date", "from", "to", "message-id", "subject", "auto-submitted", "x-auto-response-suppress",
      "content-language", "mime-version", "content-type",
    ]
    if hasReply { fields.append("reply-to") }
    if !hasHTML { fields.append("content-transfer-encoding") }
    var wanted: [String: Any] = [
      "fields": fields, "subject": sent.subject, "id": "<msg-\(number)@example.com>",
      "from": [from.name ?? "", "noreply@example.com"],
      // Python leaves out the quotes.
      "to": [to.name ?? "", "a..b+c@example.com"],
      "date": "2020-01-01T00:\(Self.two(number / 60)):\(Self.two(number % 60))+00:00",
      "text": sent.text, "harmlessHTML": harmless.reveal().html ?? "",
      "shown": [from.name ?? ""],
    ]
    if hasReply { wanted["replyTo"] = [from.name ?? "", "noreply@example.com"] }
    if let html = sent.html { wanted["html"] = html }
    self.wanted = wanted
  }

  func write(to folder: URL) throws {
    let name = "\(1000 + number)"
    try Data(message.composed.bytes.reveal()).write(to: folder.appending(path: name + ".eml"))
    try JSONSerialization.data(withJSONObject: wanted)
      .write(to: folder.appending(path: name + ".json"))
  }

  private static func values(_ name: String, showsName: Bool = true) -> MailValues {
    var values = MailValues(appName: name, email: "ada@example.com")
    values.displayName = showsName ? name : nil
    values.providerName = name
    values.newEmail = "new+x@example.com"
    values.link = Secret("https://example.com/__/auth/action?mode=x&oobCode=abc&lang=\"vi\"")
    values.code = Secret("123456")
    values.validity = .seconds(3600)
    return values
  }

  private static func showsName(_ name: String) -> Bool { !name.contains("/") }

  private static func two(_ number: Int) -> String { (number < 10 ? "0" : "") + "\(number)" }
}
