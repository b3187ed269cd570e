import Foundation
import GatehouseServer
import GatehouseProtocol

extension DevelopmentMailbox {
  static func make() throws -> DevelopmentMailbox {
    DevelopmentMailbox(
      writer: MailWriter(
        from: try Mailbox(address: "noreply@example.com"), templates: try MailTemplates()),
      clock: { Date() })
  }

  /// The mailbox as the API uses it.
  var shown: DevelopmentMails {
    DevelopmentMails(
      list: { project in self.messages(of: project).map { $0.shown } },
      clear: { self.removeAll(of: $0) })
  }
}

extension DevelopmentMailbox.Received {
  fileprivate var shown: DevelopmentMail {
    let content = message.content.reveal()
    return DevelopmentMail(
      date: message.date, kind: kind.rawValue, from: message.from.shown, to: message.to.address,
      subject: content.subject, text: content.text, html: content.html,
      language: message.language.text, link: link?.reveal(), code: code?.reveal())
  }
}

extension Mailbox {
  fileprivate var shown: String { name.map { "\($0) <\(address)>" } ?? address }
}
