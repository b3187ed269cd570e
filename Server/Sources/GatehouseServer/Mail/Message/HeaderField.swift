import Foundation

/// One field of a header as lines (RFC 5322 §2.2), with CRLF at the end of each.
///
/// A line has at most 78 characters. Only a field with a long address or a long message id has a
/// longer line: neither may be folded inside. Their own limits keep it below the 998 of §2.1.1.
struct HeaderField {
  let lines: String

  private static let maximumLine = 78

  /// A field whose value is written in this source code, or has been checked to be visible characters:
  /// ASCII, except in the address of a recipient that needs SMTPUTF8 (RFC 6532 §3.2).
  init(_ name: String, literal value: String) { lines = "\(name): \(value)\r\n" }

  /// RFC 5322 §2.2.1, an unstructured field. `text` is one line: see ``HeaderText``.
  init(_ name: String, text: String) {
    let isPlain =
      text.utf8.allSatisfy { (0x20...0x7E).contains($0) } && !text.utf8.starts(with: [0x20])
      && !EncodedWords.isMistakable(text)
      && name.utf8.count + 2 + text.utf8.count <= Self.maximumLine
    self.init(name, literal: isPlain ? text : EncodedWords.text(text))
  }

  init(_ name: String, mailbox: Mailbox) {
    guard let display = mailbox.name else {
      self.init(name, literal: mailbox.address)
      return
    }
    let phrase = Self.phrase(display)
    let lastLine = "\(name): \(phrase)".utf8.reversed().prefix { $0 != UInt8(ascii: "\n") }.count
    let fits = lastLine + mailbox.address.utf8.count + 3 <= Self.maximumLine
    self.init(name, literal: "\(phrase)\(fits ? "" : "\r\n") <\(mailbox.address)>")
  }

  /// RFC 5322 §3.2.5: words, a quoted-string, or encoded words (RFC 2047 §5).
  ///
  /// A long name of ASCII becomes encoded words too, because they can be folded anywhere.
  private static func phrase(_ name: String) -> String {
    let isASCII = name.utf8.allSatisfy { (0x20...0x7E).contains($0) }
    guard isASCII, name.utf8.count <= 60, !EncodedWords.isMistakable(name) else {
      return EncodedWords.text(name)
    }
    // A dot isn't allowed in a word (§3.2.3).
    if name.utf8.allSatisfy({ ($0 == 0x20 || Mailbox.isAtom($0)) && $0 != UInt8(ascii: ".") }) {
      return name
    }
    let escaped = name.utf8.flatMap { byte in
      byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
        ? [UInt8(ascii: "\\"), byte] : [byte]
    }
    return "\"\(String(decoding: escaped, as: UTF8.self))\""
  }
}

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
