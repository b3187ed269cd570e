/// The sentences of one kind of mail in one language, as parts of a template for plain text.
///
/// The sentences say which app sends the mail, which request caused it, and what happens if the reader
/// does nothing. They don't alarm the reader. All values in them are escaped.
struct MailText: Sendable {
  let subject: String
  let heading: String
  let paragraphs: [String]
  /// The button's text; nil for a mail without a link.
  var button: String?
  /// What the reader should do if another person caused the mail. Shown after the button and the
  /// validity.
  let otherwise: String
}

/// The sentences that all mails in one language have in common.
struct MailPhrases: Sendable {
  let greeting: String
  /// Before the code.
  let code: String
  let validity: String
  /// Before the address of the link.
  let address: String
  let footer: String
}

/// A language that comes with the server.
struct BuiltInLanguage: Sendable {
  let tag: MailLanguage
  let phrases: MailPhrases
  let text: @Sendable (MailKind) -> MailText

  static let all = [english, vietnamese, german]
}
