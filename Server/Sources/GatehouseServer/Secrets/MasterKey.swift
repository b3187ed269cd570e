import Crypto
import Foundation
package import GatehouseProtocol

/// The secret that an operator must keep: the server's other secrets are derived from it or encrypted
/// under it. The vault can have another key of this form: see ``VaultBox``.
///
/// 32 random bytes. Each purpose has its own key, derived by HKDF-SHA256 (RFC 5869).
package struct MasterKey: Sendable {
  private let bytes: Secret<[UInt8]>
  /// Four bytes derived from the key. Every ciphertext and refresh token contains them.
  package let id: [UInt8]

  package static let byteCount = 32

  /// The id in hexadecimal digits, as refresh tokens contain it and commands show it.
  package var name: String { Hexadecimal.text(id) }

  /// Returns nil unless there are exactly 32 bytes.
  package init?(_ bytes: [UInt8]) {
    guard bytes.count == Self.byteCount else { return nil }
    self.bytes = Secret(bytes)
    id = Array(Self.derive(from: bytes, purpose: "id").copiedBytes.prefix(4))
  }

  /// Reads standard base64, with surrounding white space; nil if it isn't 32 bytes.
  package init?(base64 text: String) {
    guard let data = Data(base64Encoded: text.trimmingCharacters(in: .whitespacesAndNewlines))
    else { return nil }
    self.init(Array(data))
  }

  /// Reads keys separated by white space or commas. Nil if the text has none, has more than
  /// ``MasterKeyRing/maximumKeys``, or has a word that isn't a key.
  package static func list(_ text: String) -> [MasterKey]? {
    let words = text.split { $0.isWhitespace || $0 == "," }
    guard (1...MasterKeyRing.maximumKeys).contains(words.count) else { return nil }
    var keys: [MasterKey] = []
    for word in words {
      guard let key = MasterKey(base64: String(word)) else { return nil }
      keys.append(key)
    }
    return keys
  }

  /// The key as a file contains it.
  package var base64: Secret<String> { Secret(Data(bytes.reveal()).base64EncodedString()) }

  package static func random() -> (key: MasterKey, base64: Secret<String>)? {
    var generator = SystemRandomNumberGenerator()
    let bytes = generator.bytes(byteCount)
    return MasterKey(bytes).map { ($0, Secret(Data(bytes).base64EncodedString())) }
  }

  enum Purpose: String, CaseIterable {
    case secrets, refresh, pending, nonces, browser, check
  }

  func key(for purpose: Purpose) -> SymmetricKey {
    Self.derive(from: bytes.reveal(), purpose: purpose.rawValue)
  }

  /// A value that the database stores to recognise the key. It reveals nothing about the key.
  package var checkValue: [UInt8] {
    Array(SHA256.hash(data: key(for: .check).copiedBytes))
  }

  private static func derive(from bytes: [UInt8], purpose: String) -> SymmetricKey {
    HKDF<SHA256>.deriveKey(
      inputKeyMaterial: SymmetricKey(data: bytes), info: Data("gatehouse/\(purpose)/1".utf8),
      outputByteCount: 32)
  }
}

extension SymmetricKey {
  fileprivate var copiedBytes: [UInt8] { unsafe withUnsafeBytes { unsafe Array($0) } }
}
