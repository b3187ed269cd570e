import Crypto
import Foundation

/// A string that is compared as its UTF-8 bytes.
///
/// `String` treats canonically equivalent texts as equal; client ids, codes and tokens must be
/// equal byte for byte.
struct Identifier: Sendable, Hashable {
  private let bytes: [UInt8]

  init(_ text: String) {
    bytes = Array(text.utf8)
  }

  var text: String { String(decoding: bytes, as: UTF8.self) }
}

extension String {
  /// Whether both have the same bytes. Not in constant time: see ``isSameSecret(as:)``.
  func isSame(as other: String) -> Bool {
    utf8.elementsEqual(other.utf8)
  }

  /// Whether both have the same bytes. The time that it takes reveals nothing about either.
  func isSameSecret(as other: String) -> Bool {
    SHA256.hash(data: Data(utf8)) == SHA256.hash(data: Data(other.utf8))
  }
}
