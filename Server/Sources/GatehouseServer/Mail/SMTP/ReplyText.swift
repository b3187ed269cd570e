/// The text of a server's reply, for the log and the outbox.
enum ReplyText {
  static let maximumBytes = 500

  /// One line of visible ASCII.
  ///
  /// Control characters and bytes beyond ASCII become spaces or `?`, so that a server can't forge lines
  /// of the log. Replies may repeat addresses, and links of the message: a word with an `@` becomes
  /// `[address]`, and the part of a link after `?` is left out, because it may contain a code.
  static func line(_ bytes: some Sequence<UInt8>) -> String {
    var line: [UInt8] = []
    for word in visible(bytes).split(separator: 0x20) {
      let space: [UInt8] = line.isEmpty ? [] : [0x20]
      line += space + withoutPrivateParts(word)
      if line.count > maximumBytes { break }
    }
    return String(decoding: line.prefix(maximumBytes), as: UTF8.self)
  }

  private static func visible(_ bytes: some Sequence<UInt8>) -> [UInt8] {
    bytes.compactMap { byte in
      switch byte {
      case 0x0D: nil
      case 0x09, 0x0A, 0x20: 0x20
      case 0x21...0x7E: byte
      default: UInt8(ascii: "?")
      }
    }
  }

  private static func withoutPrivateParts(_ word: ArraySlice<UInt8>) -> [UInt8] {
    let isLink = word.contains("://".utf8)
    if isLink, let question = word.firstIndex(of: UInt8(ascii: "?")) {
      return Array(word[...question]) + Array("[...]".utf8)
    }
    return !isLink && word.contains(UInt8(ascii: "@")) ? Array("[address]".utf8) : Array(word)
  }
}
