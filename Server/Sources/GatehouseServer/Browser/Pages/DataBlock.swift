/// JSON for a page's scripts: the content of a `<script type="application/json">`, which ends at
/// the first `</script` (HTML, "Restrictions for contents of script elements").
enum DataBlock {
  /// Escapes the characters of `json` that HTML or an old JavaScript engine could misread. They
  /// occur only within strings, where an escape means the same.
  static func text(_ json: String) -> String {
    json.unicodeScalars.reduce(into: "") { text, scalar in
      switch scalar {
      case "<", ">", "&", "'", "\u{2028}", "\u{2029}":
        let digits = String(scalar.value, radix: 16)
        text += "\\u" + String(repeating: "0", count: 4 - digits.utf8.count) + digits
      default: text.unicodeScalars.append(scalar)
      }
    }
  }
}
