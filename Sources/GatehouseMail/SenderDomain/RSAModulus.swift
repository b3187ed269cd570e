import Foundation

/// Reads the length of an RSA public key. Other values of the key are not checked.
enum RSAModulus {
  /// The length of the modulus, in bits.
  ///
  /// - Parameter key: In DER, a `SubjectPublicKeyInfo` (RFC 5280 §4.1) as signers publish it, or the
  ///   `RSAPublicKey` alone (RFC 8017 §A.1.1), which RFC 6376 §3.6.1 names.
  /// - Returns: Nil for anything else.
  static func bits(ofKey key: Data) -> Int? {
    var whole = DERReader(Array(key)[...])
    guard let members = whole.contents(of: .sequence), whole.isAtEnd else { return nil }
    var info = DERReader(members)
    guard let algorithm = info.contents(of: .sequence) else { return bits(ofRSAPublicKey: key) }
    var identifier = DERReader(algorithm)
    guard identifier.contents(of: .objectIdentifier)?.elementsEqual(rsaEncryption) == true,
      let bitString = info.contents(of: .bitString), info.isAtEnd,
      // The number of unused bits at the end.
      bitString.first == 0
    else { return nil }
    return bits(ofRSAPublicKey: Data(bitString.dropFirst()))
  }

  private static func bits(ofRSAPublicKey key: Data) -> Int? {
    var whole = DERReader(Array(key)[...])
    guard let members = whole.contents(of: .sequence), whole.isAtEnd else { return nil }
    var numbers = DERReader(members)
    guard let modulus = numbers.contents(of: .integer),
      let exponent = numbers.contents(of: .integer), numbers.isAtEnd, !exponent.isEmpty,
      // An integer with this bit is negative.
      let sign = modulus.first, sign < 0x80
    else { return nil }
    let digits = modulus.drop { $0 == 0 }
    return digits.first.map { digits.count * 8 - $0.leadingZeroBitCount }
  }

  /// 1.2.840.113549.1.1.1 (RFC 8017 §A.1).
  private static let rsaEncryption: [UInt8] = [
    0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01, 0x01,
  ]
}

/// Reads one value after another from DER (ITU-T X.690 §8.1).
private struct DERReader {
  enum Tag: UInt8 {
    case integer = 0x02
    case bitString = 0x03
    case objectIdentifier = 0x06
    case sequence = 0x30
  }

  private var bytes: ArraySlice<UInt8>

  init(_ bytes: ArraySlice<UInt8>) { self.bytes = bytes }

  var isAtEnd: Bool { bytes.isEmpty }

  /// The contents of the next value.
  ///
  /// - Returns: Nil if the value is incomplete or has another tag. Then the reader stays where it is.
  mutating func contents(of tag: Tag) -> ArraySlice<UInt8>? {
    var rest = bytes
    guard rest.popFirst() == tag.rawValue, let first = rest.popFirst() else { return nil }
    var length = Int(first)
    if first >= 0x80 {
      // Three bytes are enough for every key.
      let count = Int(first & 0x7F)
      guard (1...3).contains(count), rest.count >= count else { return nil }
      length = rest.prefix(count).reduce(0) { ($0 << 8) | Int($1) }
      rest = rest.dropFirst(count)
    }
    guard length <= rest.count else { return nil }
    bytes = rest.dropFirst(length)
    return rest.prefix(length)
  }
}
