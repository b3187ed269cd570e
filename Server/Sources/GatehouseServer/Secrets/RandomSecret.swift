import Crypto
import Foundation
import GatehouseProtocol
import GatehouseTokens

/// A bearer secret of this server: a prefix that names its kind, and 256 random bits.
///
/// The store keeps only the secret's SHA-256, by which it is looked up. Because of the 256 random bits,
/// the comparison of digests in an index reveals nothing useful, and a slow hash would add nothing.
struct RandomSecret: Sendable {
  let text: Secret<String>
  let digest: [UInt8]

  enum Mark: String {
    case adminKey = "gha_"
    case accessToken = "ght_"
  }

  private static let maximumBytes = 128

  init(mark: Mark) {
    var generator = SystemRandomNumberGenerator()
    let text = mark.rawValue + Base64URL.encode(generator.bytes(32))
    self.text = Secret(text)
    digest = Self.digest(of: text)
  }

  /// The digest of a text that may be such a secret; nil for a text that can't be one.
  static func digest(of bearer: Secret<String>, mark: Mark) -> [UInt8]? {
    let text = bearer.reveal()
    guard text.utf8.starts(with: mark.rawValue.utf8), text.utf8.count <= maximumBytes else {
      return nil
    }
    return digest(of: text)
  }

  private static func digest(of text: String) -> [UInt8] {
    Array(SHA256.hash(data: Data(text.utf8)))
  }
}
