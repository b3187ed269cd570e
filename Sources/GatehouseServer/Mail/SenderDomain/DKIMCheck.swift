import Foundation

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
