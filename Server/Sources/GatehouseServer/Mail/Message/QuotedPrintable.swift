/// The content transfer encoding of RFC 2045 §6.7, for text in UTF-8.
enum QuotedPrintable {
  /// Characters of a line, without CRLF (rule 5).
  private static let maximumLine = 76

  /// Encodes text as lines with CRLF at the end of each. A lone CR or LF ends a line too.
  ///
  /// A soft line break is never inside a character, so a reader that decodes line by line shows no
  /// broken characters.
  static func encoded(_ text: String) -> [UInt8] {
    var output: [UInt8] = []
    output.reserveCapacity(text.utf8.count + text.utf8.count / 8)
    for line in lines(of: text) { encode(line, to: &output) }
    return output
  }

  private static func lines(of text: String) -> [Substring.UnicodeScalarView] {
    // In a `String`, CR LF is one character, and `isNewline` is also true for other characters.
    let scalars = Substring(text).unicodeScalars
    var lines: [Substring.UnicodeScalarView] = []
    var start = scalars.startIndex
    var index = start
    while index < scalars.endIndex {
      let scalar = scalars[index]
      guard scalar == "\r" || scalar == "\n" else {
        index = scalars.index(after: index)
        continue
      }
      lines.append(scalars[start..<index])
      index = scalars.index(after: index)
      if scalar == "\r", index < scalars.endIndex, scalars[index] == "\n" {
        index = scalars.index(after: index)
      }
      start = index
    }
    if start < scalars.endIndex { lines.append(scalars[start...]) }
    return lines
  }

  private static func encode(_ line: Substring.UnicodeScalarView, to output: inout [UInt8]) {
    var column = 0
    var index = line.startIndex
    while index < line.endIndex {
      let next = line.index(after: index)
      let unit = unit(line[index], endsLine: next == line.endIndex)
      // One place is left for the `=` of a soft line break, except at the end of the line.
      let limit = next == line.endIndex ? maximumLine : maximumLine - 1
      if column + unit.count > limit {
        output += "=\r\n".utf8
        column = 0
      }
      output += unit
      column += unit.count
      index = next
    }
    output += "\r\n".utf8
  }

  /// Rules 1 to 3. Spaces at the end of a line are encoded, because servers may remove them.
  private static func unit(_ scalar: Unicode.Scalar, endsLine: Bool) -> [UInt8] {
    let bytes = Array(String(scalar).utf8)
    switch scalar {
    case " ", "\t": if !endsLine { return bytes }
    case "=": break
    case "!"..."~": return bytes
    default: break
    }
    return bytes.flatMap { [UInt8(ascii: "="), digit($0 >> 4), digit($0 & 15)] }
  }

  private static func digit(_ value: UInt8) -> UInt8 {
    value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "A") + value - 10
  }
}
