package import Foundation
package import GatehouseProtocol

/// A message to one recipient. A message to several would show each of them the others' addresses.
package struct MailMessage: Sendable {
  package let from: Mailbox
  package let to: Mailbox
  package let content: Secret<MailContent>
  package let language: MailLanguage
  package let id: MessageID
  package let date: Date
  package let replyTo: Mailbox?

  package init(
    from: Mailbox, to: Mailbox, content: Secret<MailContent>, language: MailLanguage,
    id: MessageID, date: Date, replyTo: Mailbox? = nil
  ) {
    self.from = from
    self.to = to
    self.content = content
    self.language = language
    self.id = id
    self.date = date
    self.replyTo = replyTo
  }

  /// The message as bytes (RFC 5322, RFC 2045; RFC 6532 if it needs SMTPUTF8). The same message has the same bytes.
  package var composed: ComposedMail {
    let content = content.reveal()
    var bytes = Array(header(subject: content.subject).utf8)
    if let html = content.html {
      bytes += "Content-Type: multipart/alternative;\r\n boundary=\"\(Self.boundary)\"\r\n".utf8
      bytes += Self.part("plain", content.text)
      // The last part is the one that readers prefer (RFC 2046 §5.1.4).
      bytes += Self.part("html", html)
      bytes += "\r\n--\(Self.boundary)--\r\n".utf8
    } else {
      bytes += Self.body("plain", content.text)
    }
    return ComposedMail(
      sender: from.address, recipient: to.address, needsSMTPUTF8: to.needsSMTPUTF8,
      bytes: Secret(bytes))
  }

  private func header(subject: String) -> String {
    let line = HeaderText.line(subject, maximumLength: Self.maximumSubjectLength)
    var fields = [
      HeaderField("Date", literal: MailDate.text(date)),
      HeaderField("From", mailbox: from),
      HeaderField("To", mailbox: to),
      HeaderField("Message-ID", literal: "<\(id.text)>"),
      HeaderField("Subject", text: line),
      // RFC 3834 §5, and Microsoft's own for Exchange: these prevent automatic replies.
      HeaderField("Auto-Submitted", literal: "auto-generated"),
      HeaderField("X-Auto-Response-Suppress", literal: "All"),
      HeaderField("Content-Language", literal: language.text),
      HeaderField("MIME-Version", literal: "1.0"),
    ]
    if let replyTo { fields.insert(HeaderField("Reply-To", mailbox: replyTo), at: 2) }
    return fields.map(\.lines).joined()
  }

  /// In Unicode scalars, with the values of a template.
  static let maximumSubjectLength = 300

  /// RFC 2045 §6.7 recommends `=_`, because quoted-printable text can't contain it: there, `=` is
  /// followed by a hexadecimal digit or the end of the line. So no part can contain the boundary.
  static let boundary = "=_gatehouse_alternatives"

  /// The line break before the boundary belongs to the boundary (RFC 2046 §5.1.1), not to the text.
  private static func part(_ subtype: String, _ text: String) -> [UInt8] {
    Array("\r\n--\(boundary)\r\n".utf8) + body(subtype, text)
  }

  private static func body(_ subtype: String, _ text: String) -> [UInt8] {
    Array(
      """
      Content-Type: text/\(subtype); charset=utf-8\r
      Content-Transfer-Encoding: quoted-printable\r
      \r\n
      """.utf8) + QuotedPrintable.encoded(text)
  }
}

/// A message as a transport sends it.
package struct ComposedMail: Sendable {
  /// The address for reports of failed delivery (RFC 5321, `MAIL FROM`).
  package let sender: String
  package let recipient: String
  /// Whether the recipient's address, in the command and in the header, has letters beyond ASCII.
  package let needsSMTPUTF8: Bool
  package let bytes: Secret<[UInt8]>
}

/// A date in a header (RFC 5322 §3.3), in UTC.
enum MailDate {
  static func text(_ date: Date) -> String {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = .gmt
    let parts = calendar.dateComponents(
      [.weekday, .day, .month, .year, .hour, .minute, .second], from: date)
    let weekday = weekdays[min(max(parts.weekday ?? 1, 1), 7) - 1]
    let month = months[min(max(parts.month ?? 1, 1), 12) - 1]
    let time = [parts.hour, parts.minute, parts.second].map { padded($0 ?? 0, to: 2) }
    return "\(weekday), \(parts.day ?? 1) \(month) \(padded(parts.year ?? 1970, to: 4)) "
      + "\(time.joined(separator: ":")) +0000"
  }

  private static let weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  private static func padded(_ number: Int, to digits: Int) -> String {
    let text = String(number)
    return String(repeating: "0", count: max(0, digits - text.count)) + text
  }
}
