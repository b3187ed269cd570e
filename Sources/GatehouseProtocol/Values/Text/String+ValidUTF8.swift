extension String {
  /// The text of `bytes`; nil if they aren't well-formed UTF-8.
  ///
  /// `String(validating:as:)` has the same result. Apple's systems have it only since iOS 18, and it takes
  /// more time.
  package init?(validUTF8 bytes: some Collection<UInt8>) {
    let text = unsafe Array(bytes).withUnsafeBufferPointer { unsafe String(validUTF8: $0) }
    guard let text else { return nil }
    self = text
  }

  init?(validUTF8 bytes: UnsafeBufferPointer<UInt8>) {
    let decoded = unsafe String(decoding: bytes, as: UTF8.self)
    // Decoding replaces what isn't well-formed.
    let isUnchanged = unsafe decoded.utf8.withContiguousStorageIfAvailable { text in
      guard text.count == bytes.count else { return false }
      // Without a branch in the loop, the compiler compares many bytes at once.
      var difference: UInt8 = 0
      for index in 0..<text.count { unsafe difference |= text[index] ^ bytes[index] }
      return difference == 0
    }
    guard isUnchanged == true else { return nil }
    self = decoded
  }
}
