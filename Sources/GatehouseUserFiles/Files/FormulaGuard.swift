/// Keeps a spreadsheet from taking a user's name for a formula.
///
/// A program that opens a CSV runs a cell that begins with `=`, `+`, `-` or `@`, also after a tab or a
/// line's end (OWASP, "CSV Injection"). An apostrophe before it makes it text. It is taken away again
/// when the file is imported, so that every text comes back as it was.
enum FormulaGuard {
  private static let apostrophe: Unicode.Scalar = "'"
  /// Some programs read the wide forms too.
  private static let openings: Set<Unicode.Scalar> = [
    "=", "+", "-", "@", "\t", "\r", "\n", "\u{FF1D}", "\u{FF0B}", "\u{FF0D}", "\u{FF20}",
  ]

  static func guarded(_ text: String) -> String { isFormula(text) ? "'" + text : text }

  static func unguarded(_ text: String) -> String {
    let rest = String(text.unicodeScalars.dropFirst())
    return text.unicodeScalars.first == apostrophe && isFormula(rest) ? rest : text
  }

  /// Also with apostrophes before it: one more of them, and one less, are then the same text again.
  private static func isFormula(_ text: String) -> Bool {
    text.unicodeScalars.drop { $0 == apostrophe }.first.map(openings.contains) ?? false
  }
}
