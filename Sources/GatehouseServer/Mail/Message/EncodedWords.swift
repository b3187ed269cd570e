import Foundation

/// Text beyond ASCII in a header (RFC 2047), in UTF-8 and base64.
enum EncodedWords {
  /// In bytes of UTF-8. It makes a word of 68 characters, of the 75 that RFC 2047 §2 allows: a line
  /// of 78 has the word and the longest name of a field, `Reply-To: `.
  private static let maximumBytes = 42

  /// Words that are separated by CRLF and a space. No character is divided: §5 (3) requires
  /// that each word is complete text.
  static func text(_ text: String) -> String {
    var words: [[UInt8]] = [[]]
    for scalar in text.unicodeScalars {
      let bytes = Array(String(scalar).utf8)
      if words[words.count - 1].count + bytes.count > maximumBytes { words.append([]) }
      words[words.count - 1] += bytes
    }
    return words.map { "=?UTF-8?B?\(Data($0).base64EncodedString())?=" }
      .joined(separator: "\r\n ")
  }

  /// Whether a reader could take a part of `text` for an encoded word. Otherwise a user could choose a
  /// name that is decoded into something else.
  static func isMistakable(_ text: String) -> Bool { text.utf8.contains("=?".utf8) }
}
