/// A string that equals and hashes by its UTF-8 bytes.
///
/// Swift compares strings canonically (`"caf\u{e9}" == "cafe\u{301}"`); member names and claims
/// that differ in bytes are different ones.
struct ByteString: Hashable {
  let string: String

  init(_ string: String) { self.string = string }

  static func == (left: ByteString, right: ByteString) -> Bool {
    left.string.hasSameBytes(as: right.string)
  }

  func hash(into hasher: inout Hasher) {
    var copy = string
    copy.withUTF8 { unsafe hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    hasher.combine(0xFF as UInt8)
  }
}

extension String {
  /// Whether both are the same bytes in UTF-8. Not in constant time: not for secrets.
  func hasSameBytes(as other: String) -> Bool {
    // The same bytes are canonically equal, and `==` finds most unequal strings much faster.
    utf8.count == other.utf8.count && self == other && utf8.elementsEqual(other.utf8)
  }
}
