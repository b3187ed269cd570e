import Crypto
import Foundation

/// A string as the bytes it is made of.
///
/// `String` compares canonically equivalent texts as equal; client ids, codes and tokens are equal
/// only byte for byte.
struct Identifier: Sendable, Hashable {
  private let bytes: [UInt8]

  init(_ text: String) {
    bytes = Array(text.utf8)
  }

  var text: String { String(decoding: bytes, as: UTF8.self) }
}

extension String {
  /// Whether both are the same bytes. Not in constant time: see ``isSameSecret(as:)``.
  func isSame(as other: String) -> Bool {
    utf8.elementsEqual(other.utf8)
  }

  /// Whether both are the same bytes, in a time that tells nothing about either.
  func isSameSecret(as other: String) -> Bool {
    SHA256.hash(data: Data(utf8)) == SHA256.hash(data: Data(other.utf8))
  }
}
