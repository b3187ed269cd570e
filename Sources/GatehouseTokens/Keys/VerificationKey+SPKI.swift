import Crypto
import CryptoExtras

extension VerificationKey {
  /// Reads a public key that is registered with us, to verify RS256 signatures.
  ///
  /// The rules are the same as for RSA keys in a key set: 2048 to 8192 bits, an odd exponent of at
  /// least 3 and at most 4 bytes, and no key from the flawed generator of CVE-2017-15361. Other
  /// kinds of keys are refused: service accounts sign with RS256.
  ///
  /// - Parameter spkiDER: SubjectPublicKeyInfo (RFC 5280 §4.1.2.7), DER.
  /// - Throws: ``PublicKeyError``.
  public init(spkiDER: [UInt8]) throws(PublicKeyError) {
    // This initializer also reads "unsafe" keys of 1024 bits. They are refused below as too weak,
    // not as malformed.
    guard let key = try? _RSA.Signing.PublicKey(unsafeDERRepresentation: spkiDER),
      let numbers = try? key.getKeyPrimitives()
    else { throw PublicKeyError(reason: .malformed) }
    do throws(Rejection) {
      let material = try Self.rsa(
        modulus: Array(numbers.modulus), exponent: Array(numbers.publicExponent))
      self.init(
        keyID: Self.ownKeyID(ofDER: Array(key.derRepresentation)), algorithm: .rs256,
        material: material)
    } catch {
      guard case .refused(let reason, _) = error else { throw PublicKeyError(reason: .malformed) }
      throw PublicKeyError(reason: reason)
    }
  }

  /// The `kid` that this library gives to a key: the first 40 hex digits of the SHA-256 of its
  /// SubjectPublicKeyInfo.
  static func ownKeyID(ofDER der: [UInt8]) -> String {
    String(SHA256.hash(data: der).lowercaseHex.prefix(40))
  }

  /// The key as SubjectPublicKeyInfo in its one canonical form; nil unless it is an RSA key.
  public var spkiDER: [UInt8]? {
    guard case .rsa(let key) = material else { return nil }
    return Array(key.derRepresentation)
  }
}

/// Why a public key is refused.
public struct PublicKeyError: Error, Sendable, Hashable {
  public let reason: KeySet.RefusedKey.Reason

  public init(reason: KeySet.RefusedKey.Reason) { self.reason = reason }
}
