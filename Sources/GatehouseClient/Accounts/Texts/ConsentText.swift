/// The question to a user before credentials are joined in one account, ready to be shown.
///
/// Google's and Apple's guides leave the words to the app ("obtaining any required user consent").
/// Use these texts if your app has none of its own. GatehouseUI shows them.
public struct ConsentText: Sendable, Hashable {
  /// A few words.
  public let title: String
  /// An introduction, and below it what is joined, one item per line.
  public let message: String
  /// Label of the button that agrees.
  public let agree: String
  /// Label of the button that declines.
  public let decline: String
  /// The version of the text and its language, 1 to 128 bytes. The server stores it with the
  /// consent. It changes whenever the text does.
  public let version: String
  /// The server's list of what is joined.
  public let joins: [String]

  /// The number of the wording. Increase it with every change of the consent texts, in any
  /// language.
  static let wording = 2

  /// - Parameters:
  ///   - joins: The list in ``ClientError/consentRequired(joins:updated:)``: provider ids, `email`,
  ///     `phone`.
  ///   - names: Display names for providers that have no text here, such as `oidc.example`. If a
  ///     provider has no name, its id is shown.
  public init(
    joins: [String], names: [Provider: String] = [:], in language: TextLanguage = .preferred
  ) {
    func text(_ text: InterfaceText) -> String { text.text(in: language) }
    let lines = joins.map { part in
      "• " + (Self.text(of: part).map(text) ?? names[Provider(part)] ?? part)
    }
    title = text(.consentTitle)
    message = ([text(.consentMessage)] + lines).joined(separator: "\n")
    agree = text(.agree)
    decline = text(.doNotConnect)
    version = "gatehouse-\(Self.wording)-\(language.rawValue)"
    self.joins = joins
  }

  /// The user's consent, given with ``agree``.
  public var consent: Consent { Consent(version: version, joins: joins) }

  private static func text(of part: String) -> InterfaceText? {
    switch part {
    case "email": .yourEmail
    case "phone": .yourPhoneNumber
    case "apple.com": .yourAppleAccount
    case "google.com": .yourGoogleAccount
    case "facebook.com": .yourFacebookAccount
    case "github.com": .yourGitHubAccount
    case "microsoft.com": .yourMicrosoftAccount
    default: nil
    }
  }
}
