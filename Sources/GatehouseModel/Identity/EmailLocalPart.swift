/// Which local parts an address may have.
///
/// Visible ASCII but for the characters that need quotes. Or, with digits and the same punctuation,
/// letters of scripts without capitals, such as Japanese, Chinese, Korean, Arabic and Hebrew: each has
/// one form only, so that no mailbox has two addresses. Never both kinds of letters, and no letters of
/// scripts with capitals beyond A–Z: `аdmin` with a Cyrillic `а`, `zoë` and `zoë` in two scalars, `ﬁ`
/// and `K` (KELVIN SIGN) are refused. Nobody signs up with what looks like somebody else's address.
enum EmailLocalPart {
  static func isGood(_ part: ArraySlice<UInt8>) -> Bool {
    guard !part.isEmpty else { return false }
    guard part.contains(where: { $0 >= 0x80 }) else { return part.allSatisfy(isVisibleASCII) }
    return String(decoding: part, as: UTF8.self).unicodeScalars.allSatisfy { scalar in
      guard scalar.isASCII else { return isCaselessLetter(scalar) }
      return !scalar.properties.isAlphabetic
        && isVisibleASCII(UInt8(truncatingIfNeeded: scalar.value))
    }
  }

  private static func isVisibleASCII(_ byte: UInt8) -> Bool {
    (0x21...0x7E).contains(byte) && !"\"(),:;<>[\\]@".utf8.contains(byte)
  }

  /// A letter that stands alone: no mark, nothing invisible, nothing that Unicode has twice.
  private static func isCaselessLetter(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    // The iteration mark and the long vowel, which are modifiers to Unicode.
    case 0x3005, 0x30FC: return true
    // Feminine and masculine ordinals; Hangul in parts, for compatibility too.
    case 0...0xFF, 0x1100...0x11FF, 0x3131...0x318E, 0xA960...0xA97F, 0xD7B0...0xD7FF: return false
    // Compatibility ideographs, presentation forms, full and half width, mathematical letters.
    case 0xF900...0xFAFF, 0xFB00...0xFDFF, 0xFE00...0xFFFF, 0x1D400...0x1EEFF, 0x2F800...0x2FA1F:
      return false
    default:
      return scalar.properties.generalCategory == .otherLetter
        && !scalar.properties.isDefaultIgnorableCodePoint
    }
  }
}
