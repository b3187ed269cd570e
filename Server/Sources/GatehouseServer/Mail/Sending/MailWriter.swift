package import Foundation
import GatehouseProtocol

/// Writes the emails of ``MailOrder``s.
package struct MailWriter: Sendable {
  /// The sender. Without a name here, the project's name is shown.
  private let from: Mailbox
  private let replyTo: Mailbox?
  private let templates: MailTemplates

  package init(
    from: Mailbox, replyTo: Mailbox? = nil, templates: MailTemplates
  ) {
    self.from = from
    self.replyTo = replyTo
    self.templates = templates
  }

  /// - Parameter now: The date of the email. Its text says how long the link is valid from then on.
  /// - Throws: `MailboxFault` if an address can't be used: the recipient's, the sender's or the one for
  ///   replies.
  package func message(
    for order: MailOrder, now: Date
  ) throws(MailboxFault) -> MailMessage {
    let task = order.task
    let appName = order.project.displayName ?? order.project.id.text
    let kind = task.kind
    var values = MailValues(appName: appName, email: task.email.text)
    values.displayName = order.displayName
    if let code = task.code {
      values.link = code.link
      if now < code.digitsExpireAt { values.code = code.digits }
      // Rounded to minutes, because the first attempt comes seconds after the code's creation.
      let minutes = (task.expiresAt.timeIntervalSince(now) / 60).rounded()
      values.validity = .seconds(minutes * 60)
    }
    if kind == .deletionScheduled {
      let days = (task.expiresAt.timeIntervalSince(now) / 86_400).rounded(.up)
      values.validity = .seconds(days * 86_400)
    }
    values.providerName = order.providerName
    if kind.names.contains(.newEmail) { values.newEmail = task.newEmail?.text }
    let policy = order.project.policies.email
    values.branding = order.project.policies.branding
    let (template, language) = templates.with(
      order.ownTemplates, branding: values.branding
    ).template(
      for: kind, languages: task.languages + [policy.language])
    return MailMessage(
      from: try sender(under: policy, appName: appName),
      to: try Mailbox(recipient: task.recipient),
      content: template.rendered(values, in: language), language: language,
      id: try messageID(of: order), date: now,
      replyTo: policy.replyTo.isEmpty ? replyTo : try Mailbox(address: policy.replyTo))
  }

  /// The project chooses the name and the part before the `@`; the domain is the server's.
  private func sender(under policy: EmailPolicy, appName: String) throws(MailboxFault) -> Mailbox {
    let name = policy.senderName.isEmpty ? from.name ?? appName : policy.senderName
    guard !policy.senderLocalPart.isEmpty, let at = from.address.lastIndex(of: "@") else {
      return try Mailbox(address: from.address, name: name)
    }
    return try Mailbox(address: policy.senderLocalPart + from.address[at...], name: name)
  }

  /// The same in every attempt, so that a mail program that receives the email twice can show it once.
  private func messageID(of order: MailOrder) throws(MailboxFault) -> MessageID {
    let domain = from.address.split(separator: "@").last.map(String.init) ?? ""
    guard let id = MessageID(unique: order.id.text, domain: domain) else { throw .form }
    return id
  }
}

extension MailOrder {
  /// The project's templates, without those that this version rejects. Templates are checked when
  /// they are set, but a later version may be stricter. The server's own text is then sent.
  fileprivate var ownTemplates: [MailKind: [MailLanguage: MailTemplate]] {
    let kind = task.kind
    var own: [MailLanguage: MailTemplate] = [:]
    for template in templates {
      guard let language = MailLanguage(template.language) else { continue }
      own[language] = try? MailTemplate(template)
    }
    return [kind: own]
  }
}

extension MailTemplate {
  /// - Throws: `MailTemplateFault`.
  package init(_ stored: EmailTemplate) throws(MailTemplateFault) {
    try self.init(
      subject: stored.subject, text: stored.text, html: stored.html, for: stored.kind)
  }
}
