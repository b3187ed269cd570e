/// A project's identifier: `[a-z][a-z0-9-]{2,62}`.
public struct ProjectID: ByteExact {
  public let text: String

  /// Returns nil if `text` has another form.
  public init?(_ text: String) {
    let bytes = Array(text.utf8)
    guard (3...63).contains(bytes.count), let first = bytes.first, isLowercaseLetter(first),
      bytes.allSatisfy({ isLowercaseLetter($0) || isDigit($0) || $0 == UInt8(ascii: "-") })
    else { return nil }
    self.text = text
  }
}

private func isLowercaseLetter(_ byte: UInt8) -> Bool {
  (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
}

private func isDigit(_ byte: UInt8) -> Bool {
  (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
}
