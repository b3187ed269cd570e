extension JSONParser {
  /// A number (RFC 8259 §6): `[-] int [. digits] [e [±] digits]`; `offset` is at its first byte.
  mutating func number(_ bytes: Span<UInt8>) throws(JSONError) -> JSONNumber {
    let start = offset
    let isNegative = bytes[offset] == UInt8(ascii: "-")
    if isNegative { offset += 1 }
    let integerStart = offset
    var magnitude = try integer(bytes, start: start)
    let isZero = bytes[integerStart] == UInt8(ascii: "0")

    if offset < bytes.count, bytes[offset] == UInt8(ascii: ".") {
      magnitude = nil
      offset += 1
      try digits(bytes, start: start)
    }
    if offset < bytes.count, bytes[offset] | 0x20 == UInt8(ascii: "e") {
      magnitude = nil
      offset += 1
      if offset < bytes.count,
        bytes[offset] == UInt8(ascii: "+") || bytes[offset] == UInt8(ascii: "-")
      {
        offset += 1
      }
      try digits(bytes, start: start)
    }

    let text = try text(bytes, start..<offset)
    return JSONNumber(
      checkedText: text,
      int64: isNegative && isZero ? nil : signed(magnitude, isNegative: isNegative))
  }

  /// Reads the integer part. Returns its value if that fits.
  private mutating func integer(_ bytes: Span<UInt8>, start: Int) throws(JSONError) -> UInt64? {
    let first = offset
    var value: UInt64? = 0
    while offset < bytes.count, bytes[offset].isASCIIDigit {
      let digit = UInt64(bytes[offset] & 0x0F)
      value = value.flatMap { value in
        let (product, overflow) = value.multipliedReportingOverflow(by: 10)
        let (sum, carry) = product.addingReportingOverflow(digit)
        return overflow || carry ? nil : sum
      }
      offset += 1
      try checkLength(start)
    }
    guard offset > first else { throw invalidNumber(bytes) }
    // "Leading zeros are not allowed."
    guard offset == first + 1 || bytes[first] != UInt8(ascii: "0") else {
      throw JSONError(.invalidNumber, offset: first)
    }
    return value
  }

  /// At least one digit.
  private mutating func digits(_ bytes: Span<UInt8>, start: Int) throws(JSONError) {
    let first = offset
    while offset < bytes.count, bytes[offset].isASCIIDigit {
      offset += 1
      try checkLength(start)
    }
    guard offset > first else { throw invalidNumber(bytes) }
  }

  private func checkLength(_ start: Int) throws(JSONError) {
    guard offset - start <= limits.numberBytes else {
      throw JSONError(.numberTooLong, offset: start)
    }
  }

  private func invalidNumber(_ bytes: Span<UInt8>) -> JSONError {
    JSONError(offset < bytes.count ? .invalidNumber : .unexpectedEnd, offset: offset)
  }

  private func signed(_ magnitude: UInt64?, isNegative: Bool) -> Int64? {
    guard let magnitude else { return nil }
    if !isNegative { return Int64(exactly: magnitude) }
    if magnitude == Int64.min.magnitude { return .min }
    return Int64(exactly: magnitude).map { -$0 }
  }
}

extension UInt8 {
  fileprivate var isASCIIDigit: Bool { self &- UInt8(ascii: "0") < 10 }
}
