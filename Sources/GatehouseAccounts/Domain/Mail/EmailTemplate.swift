package import struct Foundation.Date

/// A project's own text of one kind of email in one language, with places for values. It was checked
/// when it was set.
package struct EmailTemplate: Sendable {
  package let kind: MailTask.Kind
  /// A BCP 47 tag, in its canonical form.
  package let language: String
  package var subject: String
  package var text: String
  /// Nil: the email has only text.
  package var html: String?
  package var updatedAt: Date

  /// A project may have templates in so many languages for one kind.
  package static let maximumLanguages = 40

  package init(
    kind: MailTask.Kind, language: String, subject: String, text: String, html: String?,
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
