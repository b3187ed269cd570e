/// Whether a name is this machine's own: what keeps a web page from owning a `--dev` server.
enum LoopbackName {
  /// - Parameter host: A host without a port; an IPv6 address in brackets.
  static func isLoopback(_ host: some StringProtocol) -> Bool {
    let host = host.lowercased()
    if host == "localhost" || host.hasSuffix(".localhost") || host == "[::1]" { return true }
    let octets = host.split(separator: ".", omittingEmptySubsequences: false)
    return octets.count == 4 && octets[0] == "127"
      && octets.allSatisfy { (1...3).contains($0.utf8.count) && UInt8($0) != nil }
  }

  /// The host of `host[:port]`; nil if it isn't that.
  static func host(ofAuthority authority: some StringProtocol) -> String? {
    let bytes = authority.utf8
    if bytes.first == UInt8(ascii: "[") {
      guard let end = bytes.firstIndex(of: UInt8(ascii: "]")) else { return nil }
      let rest = bytes[bytes.index(after: end)...]
      guard rest.isEmpty || rest.first == UInt8(ascii: ":") else { return nil }
      return String(decoding: bytes[...end], as: UTF8.self)
    }
    let parts = bytes.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
    guard let host = parts.first, parts.count <= 2, !host.isEmpty,
      !host.contains(UInt8(ascii: "@"))
    else { return nil }
    return String(decoding: host, as: UTF8.self)
  }

  /// Whether a request's `Origin` (RFC 6454 §7) is a page on this machine. `null` isn't.
  static func isLoopback(origin: String) -> Bool {
    for scheme in ["http://", "https://"] where origin.utf8.starts(with: scheme.utf8) {
      let authority = String(decoding: origin.utf8.dropFirst(scheme.utf8.count), as: UTF8.self)
      return host(ofAuthority: authority).map { isLoopback($0) } ?? false
    }
    return false
  }
}
