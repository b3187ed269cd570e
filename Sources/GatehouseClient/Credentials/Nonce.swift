import Crypto
import GatehouseProtocol

/// A value that binds a provider's ID token to one request (OpenID Connect Core §15.5.2).
///
/// The provider gets ``sha256``, the server gets ``raw``.
public struct Nonce: Sendable, Hashable {
  public let raw: String

  /// 32 characters from the system's random generator, each one of 64 with equal probability: 192
  /// bits.
  public init() {
    let letters = Array("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz-_".utf8)
    var generator = SystemRandomNumberGenerator()
    // 256 is a multiple of 64, so the low six bits of a byte are uniform.
    let characters = generator.bytes(32).map { letters[Int($0 & 63)] }
    raw = String(decoding: characters, as: UTF8.self)
  }

  /// A nonce that was created elsewhere, by the server or the app.
  public init(raw: String) { self.raw = raw }

  /// SHA-256 in lower-case hex, for the request to the provider.
  public var sha256: String { Hexadecimal.text(SHA256.hash(data: Array(raw.utf8))) }
}

extension Nonce: CustomStringConvertible, CustomReflectable {
  public var description: String { "Nonce" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}
