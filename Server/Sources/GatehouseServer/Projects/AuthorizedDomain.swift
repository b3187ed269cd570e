import GatehouseProtocol

/// A host to which a browser may return after a sign-in or from a link in an email.
package enum AuthorizedDomain {
  /// The maximum number per project.
  package static let maximumCount = 200

  /// The domain in the form for comparison: A–Z become a–z. Nil unless the text is a host name or an
  /// IPv4 address, without scheme, port, path or wildcard. Letters outside ASCII must be written as
  /// `xn--…` (RFC 5890 §2.3.2.1).
  package static func normalized(_ text: String) -> String? {
    guard (1...253).contains(text.utf8.count) else { return nil }
    let labels = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard labels.allSatisfy(isLabel) else { return nil }
    return text.asciiLowercased
  }

  /// Letters, digits and hyphens, none at either end (RFC 1123 §2.1); at most 63.
  private static func isLabel(_ label: Substring.UTF8View) -> Bool {
    let hyphen = UInt8(ascii: "-")
    return (1...63).contains(label.count) && label.first != hyphen && label.last != hyphen
      && label.allSatisfy { byte in
        (0x61...0x7A).contains(byte | 0x20) || (0x30...0x39).contains(byte) || byte == hyphen
      }
  }
}
