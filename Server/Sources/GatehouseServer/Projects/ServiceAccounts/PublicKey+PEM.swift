import GatehouseTokens
import SwiftASN1
import X509

extension PublicKey {
  /// Longer texts are rejected.
  private static let maximumBytes = 32 * 1024

  /// Reads a certificate (RFC 5280) or a bare public key (RFC 7468 §13) in PEM. Of a certificate,
  /// only the key and the expiry date are used: the caller who registers it vouches for it.
  ///
  /// - Throws: ``PublicKeyFileError``, and `PublicKeyError` for a key that isn't accepted.
  package init(pem: String) throws {
    guard pem.utf8.count <= Self.maximumBytes, let document = try? PEMDocument(pemString: pem)
    else { throw PublicKeyFileError.notPEM }
    switch document.discriminator {
    case "PUBLIC KEY": try self.init(spkiDER: document.derBytes)
    case "CERTIFICATE":
      guard let certificate = try? Certificate(pemDocument: document),
        let key = try? certificate.publicKey.serializeAsPEM()
      else { throw PublicKeyFileError.certificate }
      try self.init(spkiDER: key.derBytes, expiresAt: certificate.notValidAfter)
    case let other where other.hasSuffix("PRIVATE KEY"): throw PublicKeyFileError.privateKey
    default: throw PublicKeyFileError.notPEM
    }
  }
}

/// Why a text isn't a public key.
package enum PublicKeyFileError: Error, Hashable, Sendable, CustomStringConvertible {
  case notPEM
  case certificate
  case privateKey

  package var description: String {
    switch self {
    case .notPEM: "The key is not one certificate or public key in PEM."
    case .certificate: "The certificate can't be read."
    case .privateKey:
      "This is a private key, which must stay secret: give its public key, and create a new pair "
        + "if this one has been sent anywhere."
    }
  }
}

extension PublicKeyFileError: APIErrorConvertible {
  var apiError: APIError { .invalidArgument(description) }
}

extension PublicKeyError: APIErrorConvertible {
  var apiError: APIError {
    switch reason {
    case .tooWeak: .invalidArgument("The key is too weak: RSA of at least 2048 bits is needed.")
    case .tooLarge: .invalidArgument("The key is too large: RSA of at most 8192 bits is accepted.")
    case .exponent: .invalidArgument("The key's exponent is not accepted.")
    case .algorithm, .malformed, .use: .invalidArgument("The key is not an RSA public key.")
    }
  }
}
