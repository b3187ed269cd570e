import Foundation
import SwiftASN1

/// Whether receivers find the key with which a domain's mail is signed (DKIM, RFC 6376 and RFC 8463).
package enum DKIMVerdict: Hashable, Sendable {
  /// No record has a tag `p`.
  case missing
  /// The key was withdrawn: `p=` is empty (§3.6.1).
  case revoked
  /// The record has another version than `DKIM1`, a malformed key, or a key of an unknown kind.
  case invalid
  /// An RSA key of fewer than 1024 bits, which receivers ignore (RFC 8301 §3.2).
  case tooShort
  /// An RSA key of fewer than 2048 bits.
  case short
  case good
}

package enum DKIMCheck {
  /// The DNS name of a selector's key.
  package static func name(selector: String, domain: String) -> String {
    "\(selector)._domainkey.\(domain)"
  }

  package static func verdict(
    selector: String, domain: String, asking resolver: any DNSResolver
  ) async throws(DNSFault) -> DKIMVerdict {
    let texts = try await resolver.texts(of: name(selector: selector, domain: domain))
    guard let tags = texts.map(TagList.init).first(where: { $0["p"] != nil }) else {
      return .missing
    }
    // `v` may be absent (§3.6.1).
    guard tags["v"].map({ $0 == "DKIM1" }) ?? true, let text = tags["p"] else { return .invalid }
    if text.isEmpty { return .revoked }
    guard let key = Data(base64Encoded: text) else { return .invalid }
    switch tags["k"]?.lowercased() ?? "rsa" {
    case "ed25519": return key.count == 32 ? .good : .invalid
    case "rsa":
      guard let bits = RSAModulus.bits(ofKey: key) else { return .invalid }
      return if bits < 1024 { .tooShort } else if bits < 2048 { .short } else { .good }
    default: return .invalid
    }
  }
}

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
