import Foundation
import SwiftASN1

/// Reads the length of an RSA public key. Other values of the key are not checked.
enum RSAModulus {
  /// The length of the modulus, in bits.
  ///
  /// - Parameter key: In DER, a `SubjectPublicKeyInfo` (RFC 5280 §4.1) as signers publish it, or the
  ///   `RSAPublicKey` alone (RFC 8017 §A.1.1), which RFC 6376 §3.6.1 names.
  /// - Returns: Nil for anything else.
  static func bits(ofKey key: Data) -> Int? {
    let bytes = Array(key)
    return try? bits(ofRSAPublicKey: (try? rsaPublicKey(inInfo: bytes)) ?? bytes[...])
  }

  /// - Returns: Nil for a key of another algorithm.
  private static func rsaPublicKey(inInfo info: [UInt8]) throws -> ArraySlice<UInt8>? {
    try DER.sequence(DER.parse(info), identifier: .sequence) { members in
      guard let node = members.next() else { return nil }
      let algorithm = try DER.sequence(node, identifier: .sequence) { identifier in
        let algorithm = try ASN1ObjectIdentifier(derEncoded: &identifier)
        while identifier.next() != nil {}  // Its parameters.
        return algorithm
      }
      let key = try ASN1BitString(derEncoded: &members)
      return algorithm == rsaEncryption && key.paddingBits == 0 ? key.bytes : nil
    }
  }

  private static func bits(ofRSAPublicKey key: ArraySlice<UInt8>) throws -> Int? {
    try DER.sequence(DER.parse(key), identifier: .sequence) { numbers in
      // Unsigned: a negative number is an error.
      let modulus = try ArraySlice<UInt8>(derEncoded: &numbers)
      _ = try ArraySlice<UInt8>(derEncoded: &numbers)
      let digits = modulus.drop { $0 == 0 }
      return digits.first.map { digits.count * 8 - $0.leadingZeroBitCount }
    }
  }

  /// RFC 8017 §A.1.
  private static let rsaEncryption: ASN1ObjectIdentifier = [1, 2, 840, 113549, 1, 1, 1]
}
