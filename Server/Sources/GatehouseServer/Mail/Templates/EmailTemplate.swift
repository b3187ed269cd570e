package import struct Foundation.Date

/// A project's own text for one kind of email in one language, with placeholders for values. The text
/// is checked when an operator sets it.
package struct EmailTemplate: Sendable {
  package let kind: MailKind
  /// A BCP 47 tag, in its canonical form.
  package let language: String
  package var subject: String
  package var text: String
  /// Nil for an email with only text.
  package var html: String?
  package var updatedAt: Date

  /// The most languages in which a project may have templates of one kind.
  package static let maximumLanguages = 40

  package init(
    kind: MailKind, language: String, subject: String, text: String, html: String?,
    updatedAt: Date
  ) {
    self.kind = kind
    self.language = language
    self.subject = subject
    self.text = text
    self.html = html
    self.updatedAt = updatedAt
  }
}
