/// Recognizes host names of this machine.
enum Loopback {
  /// - Parameter host: Without a port; an IPv6 address with or without brackets.
  static func isLoopback(host: String) -> Bool {
    let host = host.foldingASCII()
    return host == "localhost" || host.hasSuffix(".localhost") || host == "::1" || host == "[::1]"
      || isLoopbackIPv4(host)
  }

  /// The host of `authority` (RFC 3986 §3.2), unchanged.
  static func host(ofAuthority authority: String) -> String {
    if authority.hasPrefix("[") {
      return String(authority.prefix { $0 != "]" }) + "]"
    }
    return String(authority.prefix { $0 != ":" })
  }

  /// Whether the host is in 127.0.0.0/8 (RFC 1122 §3.2.1.3), written as exactly four decimal
  /// numbers.
  private static func isLoopbackIPv4(_ host: String) -> Bool {
    let parts = host.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count == 4 && parts[0] == "127"
      && parts.allSatisfy { part in
        (1...3).contains(part.utf8.count) && part.utf8.allSatisfy { (0x30...0x39).contains($0) }
          && UInt8(part) != nil
      }
  }
}
