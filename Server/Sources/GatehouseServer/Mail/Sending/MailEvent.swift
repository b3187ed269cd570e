import Foundation
import GatehouseProtocol

/// The body of a request to the mail webhook: `{type, timestamp, data}`, as Standard Webhooks
/// recommends. See docs/guides/email.md.
struct MailEvent: Encodable {
  private let type: String
  private let timestamp: String
  private let data: Contents

  private struct Contents: Encodable {
    var project: String?
    /// The raw value of a `MailKind`, such as `resetPassword`.
    var purpose: String?
    var appName: String?
    var to: String
    /// The account's address.
    var email: String?
    var newEmail: String?
    /// `ShownName` decides whether the event has it, as in the server's own texts.
    var displayName: String?
    var providerName: String?
    var language: String
    var link: String?
    /// Six digits.
    var code: String?
    var expiresAt: String?
    let message: Message
  }

  /// The email as this server writes it.
  private struct Message: Encodable {
    var from: Address
    var replyTo: Address?
    var subject: String
    var text: String
    var html: String?

    init(_ message: MailMessage) {
      let content = message.content.reveal()
      from = Address(message.from)
      replyTo = message.replyTo.map { Address($0) }
      subject = content.subject
      text = content.text
      html = content.html
    }
  }

  private struct Address: Encodable {
    var address: String
    var name: String?

    init(_ mailbox: Mailbox) {
      address = mailbox.address
      name = mailbox.name
    }
  }

  init(_ message: MailMessage, _ order: MailOrder, now: Date) {
    let task = order.task
    type = "email.send"
    timestamp = Self.text(now)
    data = Contents(
      project: order.project.id.text, purpose: task.kind.rawValue,
      appName: order.project.displayName ?? order.project.id.text, to: task.recipient.text,
      email: task.email.text, newEmail: task.newEmail?.text,
      displayName: order.displayName.flatMap(ShownName.shown), providerName: order.providerName,
      language: message.language.text,
      link: task.code?.link.reveal(),
      code: task.code.flatMap { now < $0.digitsExpireAt ? $0.digits?.reveal() : nil },
      expiresAt: Self.text(task.expiresAt), message: Message(message))
  }

  init(test message: MailMessage, now: Date) {
    type = "email.test"
    timestamp = Self.text(now)
    data = Contents(
      to: message.to.address, language: message.language.text, message: Message(message))
  }

  func body() throws -> Secret<[UInt8]> {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return Secret(Array(try encoder.encode(self)))
  }

  /// RFC 3339, in whole seconds.
  private static func text(_ date: Date) -> String {
    Date(timeIntervalSince1970: date.timeIntervalSince1970.rounded(.down)).formatted(.iso8601)
  }
}
