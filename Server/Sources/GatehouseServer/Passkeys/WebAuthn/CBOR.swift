/// A data item of CBOR (RFC 8949), in the one form that authenticators write: the CTAP2 canonical form
/// (CTAP 2.1 §8). No tags and no indefinite lengths.
indirect enum CBOR: Hashable, Sendable {
  case unsigned(UInt64)
  /// The number −1 − n.
  case negative(UInt64)
  case bytes([UInt8])
  case text(String)
  case array([CBOR])
  /// In the order of ``CBORReader``: no two keys are equal.
  case map([Entry])
  /// `false`, `true`, `null` or `undefined`: 20 to 23.
  case simple(UInt8)
  /// The bytes of a floating-point number: 2, 4 or 8. Not interpreted.
  case float([UInt8])

  struct Entry: Hashable, Sendable {
    let key: CBOR
    let value: CBOR
  }

  /// The value of a map's key; nil if the item is no map.
  subscript(key: CBOR) -> CBOR? {
    guard case .map(let entries) = self else { return nil }
    return entries.first { $0.key == key }?.value
  }

  subscript(name: String) -> CBOR? { self[.text(name)] }

  /// An integer that fits.
  var integer: Int? {
    switch self {
    case .unsigned(let value): Int(exactly: value)
    case .negative(let value): Int(exactly: value).map { -1 - $0 }
    default: nil
    }
  }

  var bytes: [UInt8]? { if case .bytes(let bytes) = self { bytes } else { nil } }
  var text: String? { if case .text(let text) = self { text } else { nil } }
}

/// Why a CBOR item is rejected, and where.
package struct CBORError: Error, Hashable {
  package enum Code: String, Hashable {
    /// The bytes end within an item.
    case unexpectedEnd
    case trailingBytes
    /// A number or a length that a shorter encoding could hold.
    case notShortest
    case indefiniteLength
    case tag
    /// A simple value other than `false`, `true`, `null` and `undefined`, or a reserved encoding.
    case unassigned
    case invalidUTF8
    /// A key of a map that is neither an integer nor a string.
    case invalidKey
    case duplicateKey
    /// The keys of a map aren't in canonical order.
    case unorderedKeys
    case tooDeep
    case tooManyItems
    case tooManyBytes
  }

  package let code: Code
  /// In bytes from the beginning.
  package let offset: Int
}

/// Reads CBOR strictly. Every limit holds before memory is allocated: a length is compared with the bytes
/// that remain.
struct CBORReader {
  /// How deep arrays and maps may nest. Compound attestation needs 5 levels.
  static let maximumDepth = 8
  static let maximumItems = 1000
  static let maximumBytes = 64 * 1024

  private let input: [UInt8]
  private(set) var offset: Int
  private var items = 0

  /// - Parameter offset: Where the first item begins.
  init(_ input: [UInt8], at offset: Int = 0) {
    self.input = input
    self.offset = offset
  }

  /// Reads bytes that are one item.
  static func read(_ input: [UInt8]) throws(CBORError) -> CBOR {
    var reader = CBORReader(input)
    let item = try reader.next()
    guard reader.offset == input.count else {
      throw CBORError(code: .trailingBytes, offset: reader.offset)
    }
    return item
  }

  /// Reads the next item; other bytes may follow it.
  mutating func next() throws(CBORError) -> CBOR {
    guard input.count <= Self.maximumBytes else { throw error(.tooManyBytes) }
    return try item(depth: 0)
  }

  private func error(_ code: CBORError.Code) -> CBORError { CBORError(code: code, offset: offset) }

  private mutating func item(depth: Int) throws(CBORError) -> CBOR {
    items += 1
    guard items <= Self.maximumItems else { throw error(.tooManyItems) }
    let start = offset
    let initial = UInt8(truncatingIfNeeded: try number(1))
    let (major, information) = (initial >> 5, initial & 0x1F)
    if major == 7 { return try simple(information, start) }
    let argument = try argument(information, start)
    switch major {
    case 0: return .unsigned(argument)
    case 1: return .negative(argument)
    case 2: return .bytes(Array(try take(length(argument))))
    case 3:
      let bytes = try take(length(argument))
      guard let text = String(validating: bytes, as: UTF8.self) else {
        throw CBORError(code: .invalidUTF8, offset: start)
      }
      return .text(text)
    case 4: return .array(try array(argument, depth))
    case 5: return .map(try map(argument, depth))
    default: throw CBORError(code: .tag, offset: start)
    }
  }

  private mutating func take(_ count: Int) throws(CBORError) -> ArraySlice<UInt8> {
    guard count <= input.count - offset else { throw error(.unexpectedEnd) }
    defer { offset += count }
    return input[offset..<(offset + count)]
  }

  private mutating func number(_ count: Int) throws(CBORError) -> UInt64 {
    try take(count).reduce(0) { $0 << 8 | UInt64($1) }
  }

  /// The argument of an initial byte (§3). "The representation is … as short as possible" (CTAP 2.1 §8).
  private mutating func argument(
    _ information: UInt8, _ start: Int
  ) throws(CBORError) -> UInt64 {
    let (bytes, least): (Int, UInt64)
    switch information {
    case 0..<24: return UInt64(information)
    case 24: (bytes, least) = (1, 24)
    case 25: (bytes, least) = (2, 1 << 8)
    case 26: (bytes, least) = (4, 1 << 16)
    case 27: (bytes, least) = (8, 1 << 32)
    case 31: throw CBORError(code: .indefiniteLength, offset: start)
    default: throw CBORError(code: .unassigned, offset: start)
    }
    let value = try number(bytes)
    guard value >= least else { throw CBORError(code: .notShortest, offset: start) }
    return value
  }

  private func length(_ argument: UInt64) throws(CBORError) -> Int {
    guard let length = Int(exactly: argument) else { throw error(.unexpectedEnd) }
    return length
  }

  private mutating func simple(_ information: UInt8, _ start: Int) throws(CBORError) -> CBOR {
    switch information {
    case 20...23: return .simple(information)
    case 25: return .float(Array(try take(2)))
    case 26: return .float(Array(try take(4)))
    case 27: return .float(Array(try take(8)))
    case 31: throw CBORError(code: .indefiniteLength, offset: start)
    default: throw CBORError(code: .unassigned, offset: start)
    }
  }

  private mutating func array(_ count: UInt64, _ depth: Int) throws(CBORError) -> [CBOR] {
    guard depth < Self.maximumDepth else { throw error(.tooDeep) }
    var elements: [CBOR] = []
    for _ in 0..<count { elements.append(try item(depth: depth + 1)) }
    return elements
  }

  /// "The keys in every map must be sorted lowest value to highest" (CTAP 2.1 §8). For keys in their
  /// shortest form, its order is that of their bytes.
  private mutating func map(_ count: UInt64, _ depth: Int) throws(CBORError) -> [CBOR.Entry] {
    guard depth < Self.maximumDepth else { throw error(.tooDeep) }
    var entries: [CBOR.Entry] = []
    var previous: ArraySlice<UInt8>?
    for _ in 0..<count {
      let start = offset
      let key = try item(depth: depth + 1)
      switch key {
      case .unsigned, .negative, .bytes, .text: break
      default: throw CBORError(code: .invalidKey, offset: start)
      }
      let written = input[start..<offset]
      if let previous, !previous.lexicographicallyPrecedes(written) {
        throw CBORError(
          code: previous.elementsEqual(written) ? .duplicateKey : .unorderedKeys, offset: start)
      }
      previous = written
      entries.append(CBOR.Entry(key: key, value: try item(depth: depth + 1)))
    }
    return entries
  }
}
