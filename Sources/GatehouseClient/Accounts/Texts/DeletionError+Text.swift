public import Foundation

extension DeletionError {
  /// A text to show to the user, in their language.
  public func text(in language: TextLanguage = .preferred) -> PersonText {
    let words = language.words
    let advice =
      Advice(cause).map { words.advice($0, for: .deletion) } ?? words.suggestion(sentence)
    return PersonText(
      title: words.title(sentence), description: words.description(sentence),
      recoverySuggestion: advice + " " + words.progress(progress))
  }

  private var sentence: DeletionSentence {
    switch self {
    case .prepare: .prepare
    case .reauthenticateApple: .reauthenticateApple
    case .reauthenticateGoogle: .reauthenticateGoogle
    case .reauthenticate: .reauthenticate
    case .revokeApple: .revokeApple
    case .revokeGoogle: .revokeGoogle
    case .delete: .delete
    }
  }

  private var progress: DeletionProgress {
    let revoked = completed.contains { if case .revoke = $0 { true } else { false } }
    return revoked ? .partlyRevoked : .nothingRevoked
  }
}

/// Uses the first of the user's preferred languages that is supported.
extension DeletionError: LocalizedError {
  public var errorDescription: String? { text().description }
  public var failureReason: String? { text().title }
  public var recoverySuggestion: String? { text().recoverySuggestion }
}
