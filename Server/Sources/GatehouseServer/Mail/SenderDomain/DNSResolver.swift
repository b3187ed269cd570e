/// Looks up records of the DNS.
package protocol DNSResolver: Sendable {
  /// The texts of the TXT records of a name, each put together from its parts (RFC 7208 §3.3). Empty if
  /// the name or the records don't exist.
  func texts(of name: String) async throws(DNSFault) -> [String]

  /// The hosts of the MX records, preferred ones first. An empty name is the null MX (RFC 7505). Empty
  /// if there are none.
  func mailExchangers(of name: String) async throws(DNSFault) -> [String]
}

/// Why a look-up failed. Whether the record exists is then unknown.
package enum DNSFault: Error, Hashable, Sendable, CustomStringConvertible {
  /// No name server responded, or all of them failed.
  case noAnswer
  case unreadable

  package var description: String {
    switch self {
    case .noAnswer: "no name server answers"
    case .unreadable: "the name server's answer can't be read"
    }
  }
}
