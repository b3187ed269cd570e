import Foundation

/// Which local parts an address may have, so that no user can sign up with an address that looks
/// like another user's, and in which form they are stored.
///
/// There are two kinds of local parts. The first kind has visible ASCII characters, except those
/// that need quotes, and Latin letters with diacritics, such as `ñ` and `ü`. The second kind has letters of
/// one ``CaselessScript``, such as Chinese and Japanese, Arabic or Hindi, with ASCII digits and the
/// same punctuation. A mix of the two is refused, and a mix of scripts. So are the letters of other
/// scripts with upper and lower case: `аdmin` with a Cyrillic `а` looks like an administrator. Letters that
/// Unicode treats as forms of ASCII letters, `ﬁ` and U+212A (KELVIN SIGN), are refused too.
///
/// Accepted letters can still look like an ASCII digit or punctuation mark, or like another letter.
enum EmailLocalPart {
  /// - Parameter part: With A–Z in lower case.
  /// - Returns: The bytes to store, or nil for a local part that no address may have.
  static func stored(_ part: ArraySlice<UInt8>) -> [UInt8]? {
    guard !part.isEmpty else { return nil }
    guard part.contains(where: { $0 >= 0x80 }) else {
      return part.allSatisfy(isVisibleASCII) ? Array(part) : nil
    }
    let text = String(decoding: part, as: UTF8.self)
    if let stored = stored(text) { return stored }
    // A letter and its mark in two scalars (NFC, Unicode, UAX #15). Only these are composed: NFC would
    // also turn U+212A into an ASCII letter.
    let isDecomposed = text.unicodeScalars.allSatisfy {
      $0.isASCII || LatinLetter.folded($0) != nil || isLatinMark($0)
    }
    return isDecomposed ? stored(text.precomposedStringWithCanonicalMapping) : nil
  }

  private static func stored(_ text: String) -> [UInt8]? {
    var stored: [UInt8] = []
    var script: CaselessScript?
    var hasLatin = false
    var isAfterLetter = false
    for scalar in text.unicodeScalars {
      var kept = scalar
      if scalar.isASCII {
        guard isVisibleASCII(UInt8(truncatingIfNeeded: scalar.value)) else { return nil }
        hasLatin = hasLatin || scalar.properties.isAlphabetic
        isAfterLetter = false
      } else if let letter = LatinLetter.folded(scalar) {
        kept = letter
        hasLatin = true
        isAfterLetter = false
      } else {
        guard let own = CaselessScript(of: scalar), own == script ?? own else { return nil }
        guard isAfterLetter || !isJapaneseMark(scalar) else { return nil }
        script = own
        isAfterLetter = true
      }
      stored += Array(String(kept).utf8)
    }
    return hasLatin && script != nil ? nil : stored
  }

  private static func isVisibleASCII(_ byte: UInt8) -> Bool {
    (0x21...0x7E).contains(byte) && !"\"(),:;<>[\\]@".utf8.contains(byte)
  }

  /// Whether `scalar` is the iteration mark or the long vowel mark of Japanese, which stand only
  /// after a letter. Without a letter, `1ー2` would look like `1-2`.
  private static func isJapaneseMark(_ scalar: Unicode.Scalar) -> Bool {
    [0x3005, 0x30FC].contains(scalar.value)
  }

  /// The combining marks of Latin letters. Those from U+0340 on repeat others.
  private static func isLatinMark(_ scalar: Unicode.Scalar) -> Bool {
    (0x300...0x33F).contains(scalar.value)
  }
}

/// A Latin letter beyond ASCII that has one small form in every language.
///
/// Without the Turkish `ı` and `İ`: an `I` in ASCII becomes `i`, so the capitals of one user's address
/// would be another's. Without `ſ`, ligatures and other letters that Unicode treats as forms of ASCII
/// letters, and without letters whose capitals are two letters, except `ß`.
enum LatinLetter {
  /// The small letter; nil for any other character.
  static func folded(_ scalar: Unicode.Scalar) -> Unicode.Scalar? {
    switch scalar.value {
    case 0xC0...0xD6, 0xD8...0xF6, 0xF8...0x12F, 0x134...0x137, 0x139...0x13E, 0x141...0x148,
      0x14A...0x17E, 0x1A0...0x1A1, 0x1AF...0x1B0, 0x1CD...0x1DC, 0x1DE...0x1E3, 0x1E6...0x1EF,
      0x1F4...0x1F5, 0x1F8...0x21B, 0x21E...0x21F, 0x226...0x233, 0x1E00...0x1E95,
      0x1EA0...0x1EF9:
      let small = scalar.properties.lowercaseMapping.unicodeScalars
      return small.count == 1 ? small.first : nil
    default: return nil
    }
  }
}
