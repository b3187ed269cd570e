/// Renders emails, and passes them to a mail server, a webhook, or the mailbox of `--dev`.
package protocol Mailer: Sendable {
  /// Sends one email. The result says whether the caller should try again.
  func send(_ order: MailOrder) async -> MailResult
}

/// An email to render and send.
package struct MailOrder: Sendable {
  /// The same in every attempt, so that a receiver recognises a repeated email.
  package let id: OutboxID
  package let task: MailTask
  package let project: Project
  /// The project's own texts of this kind of email.
  package let templates: [EmailTemplate]
  /// The account's name now; nil if it has none, or the recipient may be another user.
  package let displayName: String?
  /// The display name of the provider that the email is about; nil if it is about none.
  package let providerName: String?

  package init(
    id: OutboxID, task: MailTask, project: Project, templates: [EmailTemplate] = [],
    displayName: String?, providerName: String? = nil
  ) {
    self.id = id
    self.task = task
    self.project = project
    self.templates = templates
    self.displayName = displayName
    self.providerName = providerName
  }
}

package enum MailResult: Sendable {
  /// The email was accepted.
  case sent
  /// It may succeed later.
  case retry(String)
  /// It can't succeed.
  case failed(String)
}
