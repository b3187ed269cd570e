/// Which local parts an address may have, so that no user can sign up with an address that looks
/// like another user's.
///
/// There are two kinds of local parts. The first kind has visible ASCII characters, except those
/// that need quotes. The second kind has letters of one ``CaselessScript``, such as Chinese and
/// Japanese, Arabic or Hindi, with ASCII digits and the same punctuation. A mix of ASCII letters and
/// other letters is refused, and a mix of scripts. So are letters beyond A–Z with upper and lower
/// case: `аdmin` with a Cyrillic `а`, `zoë` with its `ë` in one scalar or in two, `ﬁ` and U+212A
/// (KELVIN SIGN).
///
/// Accepted letters can still look like an ASCII digit or punctuation mark, or like another letter of
/// their script.
enum EmailLocalPart {
  static func isGood(_ part: ArraySlice<UInt8>) -> Bool {
    guard !part.isEmpty else { return false }
    guard part.contains(where: { $0 >= 0x80 }) else { return part.allSatisfy(isVisibleASCII) }
    var script: CaselessScript?
    var isAfterLetter = false
    for scalar in String(decoding: part, as: UTF8.self).unicodeScalars {
      if scalar.isASCII {
        guard !scalar.properties.isAlphabetic,
          isVisibleASCII(UInt8(truncatingIfNeeded: scalar.value))
        else { return false }
        isAfterLetter = false
      } else {
        guard let own = CaselessScript(of: scalar), own == script ?? own else { return false }
        guard isAfterLetter || !isMark(scalar) else { return false }
        script = own
        isAfterLetter = true
      }
    }
    return true
  }

  private static func isVisibleASCII(_ byte: UInt8) -> Bool {
    (0x21...0x7E).contains(byte) && !"\"(),:;<>[\\]@".utf8.contains(byte)
  }

  /// Whether `scalar` is the iteration mark or the long vowel mark of Japanese, which stand only
  /// after a letter. Without a letter, `1ー2` would look like `1-2`.
  private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
    [0x3005, 0x30FC].contains(scalar.value)
  }
}
