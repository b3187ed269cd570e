import Crypto
import CryptoExtras

extension VerificationKey {
  /// Reads the public key that somebody registered with us, to check what they sign with RS256.
  ///
  /// Held to the same rules as the RSA keys of a key set: 2048 to 8192 bits, no exponent that signs
  /// everything, no primes of a generator that is known to be bad. Another kind of key is refused:
  /// RS256 is what service accounts sign with.
  ///
  /// - Parameter spkiDER: SubjectPublicKeyInfo (RFC 5280 §4.1.2.7), DER.
  /// - Throws: ``PublicKeyError``.
  public init(spkiDER: [UInt8]) throws(PublicKeyError) {
    // "Unsafe" are keys of 1024 bits: read, so that they can be told from what is no key at all.
    guard let key = try? _RSA.Signing.PublicKey(unsafeDERRepresentation: spkiDER),
      let numbers = try? key.getKeyPrimitives()
    else { throw PublicKeyError(reason: .malformed) }
    do throws(Rejection) {
      let material = try Self.rsa(
        modulus: Array(numbers.modulus), exponent: Array(numbers.publicExponent))
      self.init(keyID: Self.ownKeyID(of: key), algorithm: .rs256, material: material)
    } catch {
      guard case .refused(let reason) = error else { throw PublicKeyError(reason: .malformed) }
      throw PublicKeyError(reason: reason)
    }
  }

  /// The `kid` that this library gives to a key: the first 40 hex digits of the SHA-256 of its DER.
  static func ownKeyID(of key: _RSA.Signing.PublicKey) -> String {
    String(SHA256.hash(data: key.derRepresentation).lowercaseHex.prefix(40))
  }

  /// The key as SubjectPublicKeyInfo in its one canonical form; nil unless it is an RSA key.
  public var spkiDER: [UInt8]? {
    guard case .rsa(let key) = material else { return nil }
    return Array(key.derRepresentation)
  }
}

/// Why a public key isn't taken.
public struct PublicKeyError: Error, Sendable, Hashable {
  public let reason: KeySet.RefusedKey.Reason

  public init(reason: KeySet.RefusedKey.Reason) { self.reason = reason }
}
