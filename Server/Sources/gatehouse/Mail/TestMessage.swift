import Foundation
import GatehouseServer
import GatehouseProtocol

extension MailSettings {
  /// An email that says that the settings work; nil if the sender's address has no usable domain.
  func testMessage(to recipient: Mailbox, now: Date) -> MailMessage? {
    let domain = from.address.split(separator: "@").last.map(String.init) ?? ""
    guard let id = MessageID(unique: UUID().uuidString, domain: domain) else { return nil }
    let content = MailContent(
      subject: "Test of the mail settings",
      text: """
        This is a test email. Your authentication server can send mail: emails to users have this \
        sender.

        """,
      html: nil)
    return MailMessage(
      from: from, to: recipient, content: Secret(content), language: .english, id: id, date: now,
      replyTo: replyTo)
  }
}

extension MailSettings {
  /// Sends one email without the queue.
  func sendTest(_ message: MailMessage, by outbound: OutboundClient) async -> DeliveryResult {
    switch route {
    case .server(let server):
      await SMTPTransport(to: server, threads: 1).send(message.composed)
    case .webhook(let webhook):
      await WebhookMailTransport(to: webhook, by: outbound, clock: { Date() })
        .sendTest(message, id: UUID().uuidString)
    }
  }
}
