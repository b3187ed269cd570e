import Foundation

/// The languages of the SDK's texts for users.
public enum TextLanguage: String, Sendable, Hashable, CaseIterable {
  case english = "en"
  case vietnamese = "vi"
  case german = "de"

  /// - Parameter languageCode: BCP 47, like ``AuthClient/languageCode``: `de`, `de-CH`, `vi_VN`.
  ///   English for nil and for languages that aren't supported.
  public init(languageCode: String?) {
    self = languageCode.flatMap(Self.spoken) ?? .english
  }

  /// The first of the user's preferred languages that is supported.
  public static var preferred: TextLanguage {
    Locale.preferredLanguages.compactMap(spoken).first ?? .english
  }

  private static func spoken(_ code: String) -> TextLanguage? {
    let primary = code.prefix { $0 != "-" && $0 != "_" }
    return TextLanguage(rawValue: primary.lowercased())
  }

  var words: any Words {
    switch self {
    case .english: EnglishWords()
    case .vietnamese: VietnameseWords()
    case .german: GermanWords()
    }
  }
}

/// A message to the user, ready to be shown.
public struct PersonText: Sendable, Hashable {
  /// A few words.
  public var title: String
  /// What happened.
  public var description: String
  /// What the user can do, and what has been done.
  public var recoverySuggestion: String
}
