/// Prevents a spreadsheet from running a user's name as a formula.
///
/// A program that opens a CSV runs a cell that begins with `=`, `+`, `-` or `@`, also after a tab
/// or a line break (OWASP, "CSV Injection"). An apostrophe before it makes it text. Importing the
/// file removes the apostrophe, so that every text is restored unchanged.
enum FormulaGuard {
  private static let apostrophe: Unicode.Scalar = "'"
  /// Some programs also recognize the full-width forms.
  private static let openings: Set<Unicode.Scalar> = [
    "=", "+", "-", "@", "\t", "\r", "\n", "\u{FF1D}", "\u{FF0B}", "\u{FF0D}", "\u{FF20}",
  ]

  static func guarded(_ text: String) -> String { isFormula(text) ? "'" + text : text }

  static func unguarded(_ text: String) -> String {
    let rest = String(text.unicodeScalars.dropFirst())
    return text.unicodeScalars.first == apostrophe && isFormula(rest) ? rest : text
  }

  /// Also true if apostrophes precede the formula, so that adding one and removing one restores the
  /// same text.
  private static func isFormula(_ text: String) -> Bool {
    text.unicodeScalars.drop { $0 == apostrophe }.first.map(openings.contains) ?? false
  }
}
