/// What the recipient reads. It may contain a link or a code that signs a user in: keep it in a
/// `Secret`.
package struct MailContent: Sendable {
  /// One line.
  package let subject: String
  package let text: String
  /// A whole document, or nil: then only the text is sent.
  package let html: String?

  package init(subject: String, text: String, html: String?) {
    self.subject = subject
    self.text = text
    self.html = html
  }
}
