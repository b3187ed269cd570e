/// The words of the pages in one language. `{email}`, `{newEmail}` and `{n}` are replaced; see
/// ``TextTemplate``.
struct ActionPageTexts: Sendable {
  let passwordReset: Story
  let emailVerification: Story
  let emailChange: Story
  let emailRecovery: Story
  let newPassword: String
  let rules: Rules
  /// Before the rules that a rejected password doesn't meet.
  let badPassword: String
  /// On a page that asks: what to do if the reader didn't request the link.
  let notYou: String
  /// The same on the page of a recovery. Users don't request recovery codes.
  let ownChange: String
  let consent: Consent
  let signIn: SignIn
  let digits: Digits
  let resetMail: ResetMail
  let ending: Ending
  let faults: Faults

  /// The texts of one purpose: the question, and the result.
  struct Story: Sendable {
    let asked: PageText
    let button: String
    let done: PageText
  }

  /// The rules for new passwords.
  struct Rules: Sendable {
    let minimumLength: String
    let maximumLength: String
    let lowercase: String
    let uppercase: String
    let digit: String
    let symbol: String
  }

  /// Asks for consent: the new address would be linked with the account's credentials. See
  /// `ConsentRule`.
  struct Consent: Sendable {
    let asked: PageText
    let button: String
    let phone: String
  }

  struct SignIn: Sendable {
    let asked: PageText
    let openApp: String
    let goOn: String
  }

  /// Six digits instead of the link.
  struct Digits: Sendable {
    let asked: PageText
    let field: String
    let button: String
    let wrong: String
    let orLink: String
  }

  /// After a recovery.
  struct ResetMail: Sendable {
    let advice: String
    let button: String
    /// The advice if the server sends no mail.
    let adviceWithoutMail: String
    let sent: PageText
  }

  /// The end of the last page: where the user continues.
  struct Ending: Sendable {
    let goOn: String
    let close: String
    /// The link names a page on a domain that isn't the project's.
    let untrusted: String
  }

  struct Faults: Sendable {
    let incomplete: PageText
    let spent: PageText
    let spentRecovery: PageText
    let userDisabled: PageText
    let emailTaken: PageText
    let notOffered: PageText
    let noApp: PageText
    let tooManyAttempts: PageText
    let otherSite: PageText
    let busy: PageText

    subscript(fault: ActionPageFault) -> PageText {
      switch fault {
      case .incomplete: incomplete
      case .spent: spent
      case .spentRecovery: spentRecovery
      case .userDisabled: userDisabled
      case .emailTaken: emailTaken
      case .notOffered: notOffered
      case .noApp: noApp
      case .tooManyAttempts: tooManyAttempts
      case .otherSite: otherSite
      case .busy: busy
      }
    }
  }

  static func texts(in language: PageLanguage) -> ActionPageTexts {
    switch language {
    case .english: english
    case .german: german
    case .vietnamese: vietnamese
    }
  }

  /// Nil for a sign-in, which the app does.
  func story(of purpose: ActionCode.Purpose) -> Story? {
    switch purpose {
    case .passwordReset: passwordReset
    case .emailVerification: emailVerification
    case .emailChange: emailChange
    case .emailRecovery: emailRecovery
    case .emailSignIn: nil
    }
  }

  func rule(_ requirement: PasswordRequirement) -> String {
    switch requirement {
    case .minimumLength(let count): TextTemplate(rules.minimumLength).filled(["n": "\(count)"])
    case .maximumLength(let count): TextTemplate(rules.maximumLength).filled(["n": "\(count)"])
    case .lowercase: rules.lowercase
    case .uppercase: rules.uppercase
    case .digit: rules.digit
    case .symbol: rules.symbol
    }
  }
}

/// A text with placeholders, such as `{email}`.
struct TextTemplate: Sendable {
  let text: String

  init(_ text: String) { self.text = text }

  func filled(_ values: [String: String]) -> String {
    pieces(values).map(\.text).joined()
  }

  /// Values are emphasized, so that an address stands out from the sentence. A long one breaks at
  /// its `@` first.
  func html(_ values: [String: String]) -> HTML {
    let pieces = pieces(values).map { piece -> HTML in
      guard piece.isValue else { return "\(piece.text)" }
      let at = piece.text.firstIndex(of: "@") ?? piece.text.endIndex
      let (start, end) = (String(piece.text[..<at]), String(piece.text[at...]))
      return "<span class=\"address\">\(start)<wbr>\(end)</span>"
    }
    return "\(pieces)"
  }

  /// Reads the template once, so that a value that looks like a placeholder isn't replaced.
  private func pieces(_ values: [String: String]) -> [(text: String, isValue: Bool)] {
    var pieces: [(text: String, isValue: Bool)] = []
    for (index, part) in text.split(separator: "{", omittingEmptySubsequences: false).enumerated() {
      guard index > 0, let end = part.firstIndex(of: "}") else {
        pieces.append((String(part), false))
        continue
      }
      pieces.append((values[String(part[..<end])] ?? "", true))
      pieces.append((String(part[end...].dropFirst()), false))
    }
    return pieces
  }
}
