import Foundation

extension ProviderID {
  /// A name for an OpenID Connect provider made of what persons call it: `Acme Corp` becomes
  /// `oidc.acme-corp`, `Zoë & Co` `oidc.zoe-co`.
  ///
  /// Accents go, and what is no letter or digit of ASCII then becomes a hyphen. Nil where nothing
  /// is left, as of a name in another script. Not unique: who uses it looks whether there is one.
  public static func proposal(for displayName: String) -> ProviderID? {
    // A bound on the work: nobody's name is longer.
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
    // It has to begin with a letter.
    if let first = slug.first, first < 0x61 { slug.insert(contentsOf: "idp-".utf8, at: 0) }
    slug = Array(slug.prefix(Self.maximumNameBytes))
    while slug.last == UInt8(ascii: "-") { slug.removeLast() }
    return ProviderID("oidc." + String(decoding: slug, as: UTF8.self))
      .flatMap { $0.isValidOpenIDConnectName ? $0 : nil }
  }
}
