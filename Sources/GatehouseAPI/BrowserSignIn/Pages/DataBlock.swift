/// JSON for a page's scripts: the content of a `<script type="application/json">`, which ends at
/// `</script` wherever that stands (HTML, "Restrictions for contents of script elements").
enum DataBlock {
  /// `json` without characters that HTML or an old JavaScript could take for something else. They
  /// occur within strings alone, where an escape means the same.
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
