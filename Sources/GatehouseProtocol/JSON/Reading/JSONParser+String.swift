extension JSONParser {
  /// A string (RFC 8259 §7); `offset` is at its opening quote.
  mutating func string(_ bytes: Span<UInt8>) throws(JSONError) -> String {
    let start = offset + 1
    offset = start
    // Most strings have no escape: their bytes are used unchanged.
    try skipUnescaped(bytes, from: start)
    let string: String
    if bytes[offset] == UInt8(ascii: "\"") {
      string = try text(bytes, start..<offset)
      offset += 1
    } else {
      string = try escapedString(bytes, from: start)
    }
    guard !CombiningCharacters.areTooMany(in: string) else {
      throw JSONError(.tooManyCombiningCharacters, offset: start)
    }
    return string
  }

  /// Moves `offset` to the next quote or backslash.
  private mutating func skipUnescaped(_ bytes: Span<UInt8>, from start: Int) throws(JSONError) {
    while offset < bytes.count {
      let byte = bytes[offset]
      if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") {
        guard offset - start <= limits.stringBytes else {
          throw JSONError(.stringTooLong, offset: start)
        }
        return
      }
      guard byte >= 0x20 else { throw JSONError(.controlCharacter, offset: offset) }
      offset += 1
    }
    throw JSONError(.unexpectedEnd, offset: offset)
  }

  private mutating func escapedString(
    _ bytes: Span<UInt8>, from start: Int
  ) throws(JSONError) -> String {
    var decoded: [UInt8] = []
    var runStart = start
    while bytes[offset] == UInt8(ascii: "\\") {
      for index in runStart..<offset { decoded.append(bytes[index]) }
      try escape(bytes, into: &decoded)
      runStart = offset
      try skipUnescaped(bytes, from: start)
    }
    for index in runStart..<offset { decoded.append(bytes[index]) }
    offset += 1
    // One check covers all pieces: a decoded escape is well-formed UTF-8, so malformed text can't
    // become well-formed next to it.
    guard let string = String(validUTF8: decoded) else {
      throw JSONError(.invalidUTF8, offset: start)
    }
    return string
  }

  /// One escape, `offset` at its backslash.
  private mutating func escape(
    _ bytes: Span<UInt8>, into decoded: inout [UInt8]
  ) throws(JSONError) {
    let start = offset
    guard offset + 1 < bytes.count else { throw JSONError(.unexpectedEnd, offset: bytes.count) }
    let kind = bytes[offset + 1]
    offset += 2
    switch kind {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): decoded.append(kind)
    case UInt8(ascii: "b"): decoded.append(0x08)
    case UInt8(ascii: "f"): decoded.append(0x0C)
    case UInt8(ascii: "n"): decoded.append(0x0A)
    case UInt8(ascii: "r"): decoded.append(0x0D)
    case UInt8(ascii: "t"): decoded.append(0x09)
    case UInt8(ascii: "u"):
      let scalar = try unicodeEscape(bytes, start: start)
      decoded.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
    default: throw JSONError(.invalidEscape, offset: start)
    }
  }

  /// `XXXX`, or the pair `XXXX\uXXXX`, `offset` at its first digit.
  private mutating func unicodeEscape(
    _ bytes: Span<UInt8>, start: Int
  ) throws(JSONError) -> Unicode.Scalar {
    let first = try hexDigits(bytes)
    if let scalar = Unicode.Scalar(first) { return scalar }
    guard first < 0xDC00, offset + 1 < bytes.count, bytes[offset] == UInt8(ascii: "\\"),
      bytes[offset + 1] == UInt8(ascii: "u")
    else { throw JSONError(.loneSurrogate, offset: start) }
    offset += 2
    let second = try hexDigits(bytes)
    guard 0xDC00...0xDFFF ~= second,
      let scalar = Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
    else { throw JSONError(.loneSurrogate, offset: start) }
    return scalar
  }

  private mutating func hexDigits(_ bytes: Span<UInt8>) throws(JSONError) -> UInt32 {
    var value: UInt32 = 0
    for _ in 0..<4 {
      guard offset < bytes.count else { throw JSONError(.unexpectedEnd, offset: offset) }
      let byte = bytes[offset]
      let digit: UInt8
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = byte - UInt8(ascii: "0")
      case UInt8(ascii: "a")...UInt8(ascii: "f"): digit = byte - UInt8(ascii: "a") + 10
      case UInt8(ascii: "A")...UInt8(ascii: "F"): digit = byte - UInt8(ascii: "A") + 10
      default: throw JSONError(.invalidEscape, offset: offset)
      }
      value = value << 4 | UInt32(digit)
      offset += 1
    }
    return value
  }

  /// The bytes of `range` as a string.
  func text(_ bytes: Span<UInt8>, _ range: Range<Int>) throws(JSONError) -> String {
    let text = unsafe bytes.extracting(range).withUnsafeBufferPointer {
      unsafe String(validUTF8: $0)
    }
    guard let text else { throw JSONError(.invalidUTF8, offset: range.lowerBound) }
    return text
  }
}
