package import Foundation
package import GatehouseProtocol

/// An email that a `--dev` server kept instead of sending it.
package struct DevelopmentMail: Sendable {
  package let date: Date
  /// What it is about, such as `resetPassword`.
  package let kind: String
  package let from: String
  package let to: String
  package let subject: String
  package let text: String
  /// Nil if the email has only text.
  package let html: String?
  /// A BCP 47 tag.
  package let language: String
  /// The link in the email; nil if it has none.
  package let link: String?
  /// Six digits; nil if the email has none.
  package let code: String?

  package init(
    date: Date, kind: String, from: String, to: String, subject: String, text: String,
    html: String?, language: String, link: String?, code: String?
  ) {
    self.date = date
    self.kind = kind
    self.from = from
    self.to = to
    self.subject = subject
    self.text = text
    self.html = html
    self.language = language
    self.link = link
    self.code = code
  }
}

/// The emails that a `--dev` server kept.
package struct DevelopmentMails: Sendable {
  /// Those of a project, latest first.
  let list: @Sendable (ProjectID) -> [DevelopmentMail]
  let clear: @Sendable (ProjectID) -> Void

  package init(
    list: @escaping @Sendable (ProjectID) -> [DevelopmentMail],
    clear: @escaping @Sendable (ProjectID) -> Void
  ) {
    self.list = list
    self.clear = clear
  }
}
