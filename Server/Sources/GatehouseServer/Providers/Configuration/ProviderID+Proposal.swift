package import GatehouseProtocol

import Foundation

extension ProviderID {
  /// An id for an OpenID Connect provider, derived from its display name: `Acme Corp` becomes
  /// `oidc.acme-corp`, and `Zoë & Co` becomes `oidc.zoe-co`.
  ///
  /// Accents are removed. Each run of characters that aren't ASCII letters or digits becomes one
  /// hyphen, or nothing at the beginning and the end. A name that begins with a digit gets the prefix
  /// `idp-`, and a long name is cut. Returns nil if nothing is left, for example for a name in
  /// another script. The id may exist already: the caller must check.
  package static func proposal(for displayName: String) -> ProviderID? {
    // Limits the work. No real name is longer.
    let text = String(displayName.prefix(256)).decomposedStringWithCompatibilityMapping
    var slug: [UInt8] = []
    for scalar in text.unicodeScalars {
      switch scalar.value {
      case 0x30...0x39, 0x61...0x7A: slug.append(UInt8(scalar.value))
      case 0x41...0x5A: slug.append(UInt8(scalar.value) | 0x20)
      case 0x300...0x36F: break
      default: if let last = slug.last, last != UInt8(ascii: "-") { slug.append(UInt8(ascii: "-")) }
      }
    }
    // The name must begin with a letter.
    if let first = slug.first, first < 0x61 { slug.insert(contentsOf: "idp-".utf8, at: 0) }
    slug = Array(slug.prefix(Self.maximumNameBytes))
    while slug.last == UInt8(ascii: "-") { slug.removeLast() }
    return ProviderID("oidc." + String(decoding: slug, as: UTF8.self))
      .flatMap { $0.isValidOpenIDConnectName ? $0 : nil }
  }
}
