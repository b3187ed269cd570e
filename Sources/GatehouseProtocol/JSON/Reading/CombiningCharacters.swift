/// The characters of Unicode that combine with a character before them, such as accents.
///
/// Swift compares and hashes strings canonically. To do this, it sorts the combining characters that
/// follow each other, in quadratic time. With half a million of them in a row, one comparison would
/// occupy a processor for a minute, even a comparison with a short constant. So text from outside is
/// checked before anything compares it.
public enum CombiningCharacters {
  /// How many may follow each other. Text in any language needs at most 30 (UAX #15, "Stream-Safe
  /// Text Format"). A user's name has at most 256 characters, so every name is allowed.
  public static let maximumInRow = 256

  public static func areTooMany(in text: String) -> Bool {
    // Each has at least two bytes, and the first byte is at least 0xCC, as that of U+0300.
    guard text.utf8.count > 2 * maximumInRow else { return false }
    var copy = text
    guard copy.withUTF8({ unsafe $0.contains { $0 >= 0xCC } }) else { return false }
    var inRow = 0
    for scalar in text.unicodeScalars {
      guard scalar.value >= 0x300, scalar.properties.canonicalCombiningClass != .notReordered else {
        inRow = 0
        continue
      }
      inRow += 1
      if inRow > maximumInRow { return true }
    }
    return false
  }
}
