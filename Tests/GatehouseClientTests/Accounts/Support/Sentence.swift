import Foundation

enum Sentence {
  /// Not empty, and without an unfilled placeholder.
  static func isReady(_ text: String) -> Bool {
    !text.isEmpty && text == text.trimmingCharacters(in: .whitespacesAndNewlines)
      && !["%", "{", "}", "\\(", "  ", "[", "]"].contains(where: text.contains)
  }
}
