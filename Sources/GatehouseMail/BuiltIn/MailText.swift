/// The sentences of one kind of mail in one language, as parts of a template for plain text.
///
/// A sentence says which app sends the mail, what was asked and by whom, and what happens if the reader
/// does nothing. It doesn't alarm, and has no value but escaped ones.
struct MailText: Sendable {
  let subject: String
  let heading: String
  let paragraphs: [String]
  /// What the button does; nil without a link.
  var button: String?
  /// What to do, if anything, when someone else caused the mail. After button and validity.
  let otherwise: String
}

/// What all mails in one language say.
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
