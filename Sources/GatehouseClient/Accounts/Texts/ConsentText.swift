/// What a user is asked before identities come together in one account, ready to be shown.
///
/// Google's and Apple's guides leave the words to the app ("obtaining any required user consent"); these
/// are for an app that has none of its own. GatehouseUI shows them.
public struct ConsentText: Sendable, Hashable {
  /// A few words.
  public let title: String
  /// What comes together, one per line.
  public let message: String
  /// On the button that agrees.
  public let agree: String
  /// On the button that doesn't.
  public let decline: String
  /// What the server keeps of the agreement, 1 to 128 bytes: names these words and their language. It
  /// changes whenever the words do.
  public let version: String
  /// As the server named it.
  public let joins: [String]

  /// The number of the wording. Raised with every change of the texts above, in any language.
  static let wording = 1

  /// - Parameters:
  ///   - joins: What ``ClientError/consentRequired(joins:updated:)`` has: provider ids, `email`,
  ///     `phone`.
  ///   - names: What the app calls providers that have no text here, like `oidc.example`. Without a
  ///     name the provider's id is shown.
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

  /// What the user agreed to by ``agree``.
  public var consent: Consent { Consent(version: version, joins: joins) }

  private static func text(of part: String) -> InterfaceText? {
    switch part {
    case "email": .yourEmail
    case "phone": .yourPhoneNumber
    case "apple.com": .yourAppleAccount
    case "google.com": .yourGoogleAccount
    case "facebook.com": .yourFacebookAccount
    case "password": .yourPassword
    default: nil
    }
  }
}
