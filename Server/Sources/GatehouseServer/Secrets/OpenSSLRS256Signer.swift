import CLibcrypto
package import GatehouseTokens

/// RS256 (RSASSA-PKCS1-v1_5 with SHA-256, RFC 7518 §3.3) with libcrypto.
///
/// The key is read once. Each signature allocates its own context, and this type takes no lock.
@safe package final class OpenSSLRS256Signer: TokenSigner {
  package let keyID: String
  package var algorithm: SignatureAlgorithm { .rs256 }

  // Never changed after `init`, and freed only by `deinit`. OpenSSL allows one EVP_PKEY to sign in
  // many threads at once if each has a separate EVP_MD_CTX.
  private nonisolated(unsafe) let key: OpaquePointer
  private let signatureBytes: Int

  /// Passes a key to libcrypto.
  ///
  /// - Throws: ``OpenSSLError`` if libcrypto can't read it.
  package init(key: RSASigningKey) throws(OpenSSLError) {
    let der = key.pkcs8DER
    let parsed = unsafe der.withUnsafeBufferPointer { buffer -> OpaquePointer? in
      var start = buffer.baseAddress
      return unsafe d2i_AutoPrivateKey(nil, &start, buffer.count)
    }
    guard let parsed = unsafe parsed else { throw OpenSSLError.last(during: .readingKey) }
    unsafe self.key = parsed
    signatureBytes = unsafe Int(EVP_PKEY_get_size(parsed))
    keyID = key.keyID
  }

  deinit { unsafe EVP_PKEY_free(key) }

  /// - Throws: ``OpenSSLError``, only if memory runs out.
  package func sign(_ message: [UInt8]) throws -> [UInt8] {
    guard let context = unsafe EVP_MD_CTX_new() else { throw OpenSSLError.last(during: .signing) }
    defer { unsafe EVP_MD_CTX_free(context) }
    // The default padding of an RSA key is PKCS #1 v1.5, which RS256 uses.
    guard unsafe EVP_DigestSignInit(context, nil, EVP_sha256(), nil, key) == 1 else {
      throw OpenSSLError.last(during: .signing)
    }
    var length = signatureBytes
    var isSigned = false
    let signature = unsafe [UInt8](unsafeUninitializedCapacity: signatureBytes) { buffer, count in
      isSigned =
        unsafe EVP_DigestSign(context, buffer.baseAddress, &length, message, message.count) == 1
      count = isSigned ? length : 0
    }
    guard isSigned else { throw OpenSSLError.last(during: .signing) }
    return signature
  }
}

/// An error of libcrypto. Holds its error number, and nothing of the key or the message.
package struct OpenSSLError: Error, Sendable, Hashable, CustomStringConvertible {
  package enum Step: String, Sendable, Hashable {
    case readingKey = "reading the private key"
    case signing = "signing"
  }

  package let step: Step

  /// The number that `openssl errstr` explains.
  package let number: UInt

  package var description: String {
    "libcrypto failed in \(step.rawValue) (openssl errstr \(String(number, radix: 16)))"
  }

  /// The latest error of this thread. Empties the queue, so that no error is reported twice.
  static func last(during step: Step) -> OpenSSLError {
    let number = ERR_peek_last_error()
    ERR_clear_error()
    return OpenSSLError(step: step, number: UInt(number))
  }
}
