import Crypto
import GatehouseModel

/// A value that binds a provider's ID token to one request (OpenID Connect Core §15.5.2).
///
/// The provider gets ``sha256``, the server gets ``raw``.
public struct Nonce: Sendable, Hashable {
  public let raw: String

  /// 32 characters from the system's generator, each of 64 equally likely: 192 bits.
  public init() {
    let letters = Array("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz-_".utf8)
    var generator = SystemRandomNumberGenerator()
    // 256 is a multiple of 64, so the low six bits of a byte are uniform.
    let characters = (0..<32).map { _ in letters[Int(generator.next() & 63)] }
    raw = String(decoding: characters, as: UTF8.self)
  }

  /// One that was made elsewhere: the server's, or an app's own.
  public init(raw: String) { self.raw = raw }

  /// SHA-256 in lower-case hex: what goes into the request to the provider.
  public var sha256: String { Hexadecimal.text(SHA256.hash(data: Array(raw.utf8))) }
}

extension Nonce: CustomStringConvertible, CustomReflectable {
  public var description: String { "Nonce" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}
