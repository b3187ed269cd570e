/// A script in everyday use that has no capitals. These are the "Recommended Scripts" (Unicode,
/// UAX #31, table 5), without those that have capitals.
///
/// Letters of other scripts without capitals are refused, because many of them look like ASCII: the
/// letters of Lisu look like all Latin capitals except Q. The Latin letters for clicks, which have no
/// capitals either, look like `!` and `|`.
enum CaselessScript {
  case arabic, bengali, devanagari, ethiopic, gujarati, gurmukhi, hebrew, kannada, khmer, lao
  case malayalam, myanmar, oriya, sinhala, tamil, telugu, thaana, thai, tibetan
  /// Han, Hiragana, Katakana, Bopomofo and Hangul, which are written together.
  case eastAsian

  /// The script of a visible letter. Nil for any other character, such as a combining mark, and for
  /// the blocks of compatibility letters, which repeat letters of other blocks.
  init?(of scalar: Unicode.Scalar) {
    // Unicode classifies the iteration mark and the long vowel mark as modifiers.
    guard
      scalar.properties.generalCategory == .otherLetter || [0x3005, 0x30FC].contains(scalar.value),
      !scalar.properties.isDefaultIgnorableCodePoint
    else { return nil }
    // The scripts' blocks, without those of compatibility ideographs and compatibility letters,
    // presentation forms, full-width and half-width letters, and parts of Hangul syllables.
    switch scalar.value {
    case 0x0590...0x05FF: self = .hebrew
    case 0x0600...0x06FF, 0x0750...0x077F, 0x0870...0x08FF: self = .arabic
    case 0x0780...0x07BF: self = .thaana
    case 0x0900...0x097F: self = .devanagari
    case 0x0980...0x09FF: self = .bengali
    case 0x0A00...0x0A7F: self = .gurmukhi
    case 0x0A80...0x0AFF: self = .gujarati
    case 0x0B00...0x0B7F: self = .oriya
    case 0x0B80...0x0BFF: self = .tamil
    case 0x0C00...0x0C7F: self = .telugu
    case 0x0C80...0x0CFF: self = .kannada
    case 0x0D00...0x0D7F: self = .malayalam
    case 0x0D80...0x0DFF: self = .sinhala
    case 0x0E00...0x0E7F: self = .thai
    case 0x0E80...0x0EFF: self = .lao
    case 0x0F00...0x0FFF: self = .tibetan
    case 0x1000...0x109F, 0xA9E0...0xA9FF, 0xAA60...0xAA7F: self = .myanmar
    case 0x1200...0x139F, 0x2D80...0x2DDF, 0xAB00...0xAB2F: self = .ethiopic
    case 0x1780...0x17FF: self = .khmer
    // The iteration mark, and the closing mark of some Japanese names.
    case 0x3005...0x3006: self = .eastAsian
    // Hiragana, and Katakana with the long vowel mark, without the ligatures; Bopomofo.
    case 0x3041...0x3096, 0x30A1...0x30FA, 0x30FC, 0x31F0...0x31FF: self = .eastAsian
    case 0x3105...0x312F, 0x31A0...0x31BF: self = .eastAsian
    // Ideographs, and syllables of Hangul.
    case 0x3400...0x4DBF, 0x4E00...0x9FFF, 0x20000...0x2F7FF, 0x30000...0x3FFFF: self = .eastAsian
    case 0xAC00...0xD7A3: self = .eastAsian
    default: return nil
    }
  }
}
