import Foundation

/// The domain of an address, in letters, digits and hyphens of ASCII. Letters beyond ASCII are written as
/// `xn--` labels (IDNA, RFC 5891; Punycode, RFC 3492).
///
/// This covers the part of IDNA in which a name in letters and its `xn--` label stand for each other,
/// whatever program converts it: letters and marks that IDNA keeps as they are, and their capitals. A name
/// that one program could read as one domain and another program as another domain is refused. A user can
/// write the `xn--` form in its place. Refused are: `ß`, `ς` and invisible joiners, which older programs
/// turn into `ss`, `σ` and nothing; full-width letters, ligatures and other forms of letters; U+3002
/// in place of a dot; and digits and signs beyond ASCII.
enum EmailDomain {
  private static let dot = UInt8(ascii: ".")
  private static let hyphen = UInt8(ascii: "-")

  /// - Parameter domain: With A–Z in lower case.
  /// - Returns: The bytes to store; nil unless each label has 1 to 63 letters, digits and hyphens, and
  ///   neither begins nor ends with a hyphen.
  static func stored(_ domain: ArraySlice<UInt8>) -> [UInt8]? {
    let labels = domain.split(separator: dot, omittingEmptySubsequences: false)
    if domain.allSatisfy({ $0 < 0x80 }) {
      return labels.allSatisfy(isLabel) ? Array(domain) : nil
    }
    var stored: [UInt8] = []
    for label in labels {
      let isASCII = label.allSatisfy { $0 < 0x80 }
      guard let ascii = isASCII ? Array(label) : encoded(String(decoding: label, as: UTF8.self)),
        isLabel(ascii[...])
      else { return nil }
      stored += (stored.isEmpty ? [] : [dot]) + ascii
    }
    return stored
  }

  private static func isLabel(_ label: ArraySlice<UInt8>) -> Bool {
    (1...63).contains(label.count) && label.first != hyphen && label.last != hyphen
      && label.allSatisfy { byte in
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
          || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || byte == hyphen
      }
  }

  /// The `xn--` label of a label that has letters beyond ASCII.
  private static func encoded(_ label: String) -> [UInt8]? {
    var folded = String.UnicodeScalarView()
    for scalar in label.unicodeScalars {
      guard let small = small(scalar) else { return nil }
      folded.append(small)
    }
    // A letter and its mark in two scalars.
    let composed = String(folded).precomposedStringWithCanonicalMapping
    let scalars = Array(composed.unicodeScalars)
    guard let first = scalars.first, let last = scalars.last, first != "-", last != "-",
      !isMark(first), scalars.allSatisfy({ small($0) == $0 && !isJamo($0) }),
      isUnchanged(composed),
      // Reserved for prefixes such as `xn--` (RFC 5891 §4.2.3.1).
      scalars.count < 4 || scalars[2] != "-" || scalars[3] != "-"
    else { return nil }
    return Array("xn--".utf8) + punycode(scalars.map(\.value))
  }

  /// The small form of a character that a label may have; nil for another one.
  ///
  /// A capital and its small letter have to be each other's only forms. This leaves out `İ`, `ı` and `ς`, and
  /// letters of which IDNA keeps the capital (Cherokee).
  private static func small(_ scalar: Unicode.Scalar) -> Unicode.Scalar? {
    if scalar.isASCII {
      return isLabel([
        UInt8(ascii: "a"), UInt8(truncatingIfNeeded: scalar.value), UInt8(ascii: "a"),
      ])
        ? scalar : nil
    }
    guard ![0xDF, 0x1E9E, 0x3A3].contains(scalar.value),
      !(0x13A0...0x13FD).contains(scalar.value), !(0xAB70...0xABBF).contains(scalar.value),
      !scalar.properties.isDefaultIgnorableCodePoint, isUnchanged(String(scalar))
    else { return nil }
    switch scalar.properties.generalCategory {
    case .otherLetter, .modifierLetter, .nonspacingMark, .spacingMark:
      return form(scalar, scalar.properties.uppercaseMapping) == nil ? scalar : nil
    case .uppercaseLetter:
      guard let small = form(scalar, scalar.properties.lowercaseMapping),
        form(small, small.properties.uppercaseMapping) == scalar
      else { return nil }
      return small
    case .lowercaseLetter:
      let capitals = scalar.properties.uppercaseMapping.unicodeScalars
      guard capitals.count == 1, let capital = capitals.first, capital != scalar else {
        return scalar
      }
      return form(capital, capital.properties.lowercaseMapping) == scalar ? scalar : nil
    default: return nil
    }
  }

  /// The other case of `scalar`, if there is one and it is one character.
  private static func form(_ scalar: Unicode.Scalar, _ mapping: String) -> Unicode.Scalar? {
    let scalars = mapping.unicodeScalars
    return scalars.count == 1 && scalars.first != scalar ? scalars.first : nil
  }

  /// Whether no form of Unicode that makes characters equal (NFKC, UAX #15) changes the text.
  private static func isUnchanged(_ text: String) -> Bool {
    text.precomposedStringWithCompatibilityMapping.hasSameBytes(as: text)
  }

  private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
    [.nonspacingMark, .spacingMark].contains(scalar.properties.generalCategory)
  }

  /// Whether the character is a part of a Hangul syllable, which IDNA knows only as a whole.
  private static func isJamo(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x1100...0x11FF, 0xA960...0xA97F, 0xD7B0...0xD7FF: true
    default: false
    }
  }

  /// RFC 3492 §6.3 with the parameters of §5. A label of an address has at most 256 characters, so no
  /// number overflows.
  private static func punycode(_ scalars: [UInt32]) -> [UInt8] {
    let (base, tMin, tMax, skew, damp) = (36, 1, 26, 38, 700)
    var output = scalars.filter { $0 < 0x80 }.map { UInt8(truncatingIfNeeded: $0) }
    let basicCount = output.count
    if basicCount > 0 { output.append(hyphen) }
    var (handled, code, delta, bias) = (basicCount, 128, 0, 72)
    while handled < scalars.count {
      guard let next = scalars.map({ Int($0) }).filter({ $0 >= code }).min() else { break }
      delta += (next - code) * (handled + 1)
      code = next
      for scalar in scalars.map({ Int($0) }) {
        if scalar < code { delta += 1 }
        guard scalar == code else { continue }
        var (rest, k) = (delta, base)
        while true {
          let threshold = min(max(k - bias, tMin), tMax)
          if rest < threshold { break }
          output.append(digit(threshold + (rest - threshold) % (base - threshold)))
          rest = (rest - threshold) / (base - threshold)
          k += base
        }
        output.append(digit(rest))
        // §6.1.
        delta = handled == basicCount ? delta / damp : delta / 2
        delta += delta / (handled + 1)
        var steps = 0
        while delta > (base - tMin) * tMax / 2 {
          delta /= base - tMin
          steps += base
        }
        bias = steps + (base - tMin + 1) * delta / (delta + skew)
        delta = 0
        handled += 1
      }
      delta += 1
      code += 1
    }
    return output
  }

  private static func digit(_ value: Int) -> UInt8 {
    UInt8(truncatingIfNeeded: value < 26 ? value + 0x61 : value - 26 + 0x30)
  }
}
