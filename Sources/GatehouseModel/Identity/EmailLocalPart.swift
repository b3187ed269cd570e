/// Which local parts an address may have, so that no user can sign up with an address that looks
/// like another user's.
///
/// There are two kinds of local parts. The first kind has visible ASCII characters, except those
/// that need quotes. The second kind has letters of scripts without capitals, such as Japanese,
/// Chinese, Korean, Arabic and Hebrew, with ASCII digits and the same punctuation. Each of these
/// letters has only one form, so that no mailbox has two addresses. A mix of both kinds of letters
/// is refused. So are letters beyond A–Z with upper and lower case: `аdmin` with a Cyrillic `а`,
/// `zoë` with its `ë` in one scalar or in two, `ﬁ` and U+212A (KELVIN SIGN).
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

  /// Whether `scalar` is a visible letter without marks that Unicode encodes only once.
  private static func isCaselessLetter(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    // The iteration mark and the long vowel mark, which Unicode classifies as modifiers.
    case 0x3005, 0x30FC: return true
    // Feminine and masculine ordinals; parts of Hangul syllables, with the compatibility forms.
    case 0...0xFF, 0x1100...0x11FF, 0x3131...0x318E, 0xA960...0xA97F, 0xD7B0...0xD7FF: return false
    // Compatibility ideographs, presentation forms, full-width, half-width and mathematical
    // letters.
    case 0xF900...0xFAFF, 0xFB00...0xFDFF, 0xFE00...0xFFFF, 0x1D400...0x1EEFF, 0x2F800...0x2FA1F:
      return false
    default:
      return scalar.properties.generalCategory == .otherLetter
        && !scalar.properties.isDefaultIgnorableCodePoint
    }
  }
}
