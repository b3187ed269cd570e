import Crypto
import CryptoExtras

extension VerificationKey {
  /// Whether the signature is valid. The key must fit the header's algorithm: see ``fits(_:)``.
  ///
  /// - Parameters:
  ///   - jws: The parsed token, not yet verified.
  ///   - sha256: The digest of the signing input.
  func isValid(_ jws: UnverifiedJWS, sha256: SHA256Digest) -> Bool {
    let input = jws.signingInput
    switch (material, jws.header.algorithm) {
    case (.rsa(let key), .rs256): return isValid(jws, key, sha256, .insecurePKCS1v1_5)
    case (.rsa(let key), .rs384):
      return isValid(jws, key, SHA384.hash(data: input), .insecurePKCS1v1_5)
    case (.rsa(let key), .rs512):
      return isValid(jws, key, SHA512.hash(data: input), .insecurePKCS1v1_5)
    case (.rsa(let key), .ps256): return isValid(jws, key, sha256, .PSS)
    case (.rsa(let key), .ps384): return isValid(jws, key, SHA384.hash(data: input), .PSS)
    case (.rsa(let key), .ps512): return isValid(jws, key, SHA512.hash(data: input), .PSS)

    case (.p256(let key), .es256):
      guard CurveOrder.p256.isInRange(jws.signature),
        let signature = try? P256.Signing.ECDSASignature(rawRepresentation: jws.signature)
      else { return false }
      return key.isValidSignature(signature, for: sha256)
    case (.p384(let key), .es384):
      guard CurveOrder.p384.isInRange(jws.signature),
        let signature = try? P384.Signing.ECDSASignature(rawRepresentation: jws.signature)
      else { return false }
      return key.isValidSignature(signature, for: SHA384.hash(data: input))
    case (.p521(let key), .es512):
      guard CurveOrder.p521.isInRange(jws.signature),
        let signature = try? P521.Signing.ECDSASignature(rawRepresentation: jws.signature)
      else { return false }
      return key.isValidSignature(signature, for: SHA512.hash(data: input))

    case (.ed25519(let key), .edDSA):
      return jws.signature.count == 64 && key.isValidSignature(jws.signature, for: input)

    default: return false
    }
  }

  private func isValid(
    _ jws: UnverifiedJWS, _ key: _RSA.Signing.PublicKey, _ digest: some Digest,
    _ padding: _RSA.Signing.Padding
  ) -> Bool {
    // "If the length of the signature S is not k octets, output 'invalid signature'"
    // (RFC 8017 §8.2.2).
    jws.signature.count == (key.keySizeInBits + 7) / 8
      && key.isValidSignature(
        _RSA.Signing.RSASignature(rawRepresentation: jws.signature), for: digest, padding: padding)
  }
}
