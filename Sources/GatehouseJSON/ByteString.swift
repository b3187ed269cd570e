/// A string that is compared and hashed by its UTF-8 bytes.
///
/// Swift compares strings canonically (`"caf\u{e9}" == "cafe\u{301}"`), but member names and claims
/// with different bytes are different.
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
  /// Whether both strings have the same UTF-8 bytes. The comparison doesn't take constant time:
  /// don't use it for secrets.
  func hasSameBytes(as other: String) -> Bool {
    guard utf8.count == other.utf8.count else { return false }
    // A loop over memory takes a third of the instructions that a loop over `String.UTF8View` takes.
    var (left, right) = (self, other)
    return left.withUTF8 { left in right.withUTF8 { unsafe left.elementsEqual($0) } }
  }
}
