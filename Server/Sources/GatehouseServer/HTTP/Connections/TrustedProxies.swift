package import GatehouseProtocol
package import HTTPTypes

/// The proxies in front of this server, and which of their statements are trusted.
///
/// Any client can send a header. A header's statement about the client's address is trusted only if
/// the connection comes from a proxy that the operator named, and only as far as named proxies
/// wrote it. Each proxy appends the address that it saw, so the list is read from its right end to
/// the first address that isn't a named proxy's. The client may have invented everything to the
/// left of that.
package struct TrustedProxies: Sendable {
  package var networks: [IPNetwork]
  package var header: Header

  /// The one header that the proxies write. The other header is ignored: a proxy forwards headers
  /// that it doesn't know, and a client could put anything there.
  package enum Header: String, CaseIterable, Sendable {
    case xForwardedFor = "X-Forwarded-For"
    /// RFC 7239.
    case forwarded = "Forwarded"
  }

  /// A limit on proxies in a row; hops beyond it aren't read.
  private static let maximumHops = 16
  private static let maximumBytes = 4096

  package init(networks: [IPNetwork] = [], header: Header = .xForwardedFor) {
    self.networks = networks
    self.header = header
  }

  package func contains(_ address: IPAddress) -> Bool {
    let address = address.unmapped
    return networks.contains { $0.contains(address) }
  }

  /// The client of a request.
  ///
  /// A hop that isn't an address (`unknown`, an obfuscated name, garbage) ends the reading. The
  /// client is then the proxy that wrote this hop, because nothing is known about the hosts behind
  /// it.
  ///
  /// - Parameter peer: The other end of the connection; nil if it has no address.
  package func client(of peer: IPAddress?, _ headers: HTTPFields) -> ClientAddress {
    address(of: peer, headers).map { ClientAddress($0) } ?? .unknown
  }

  /// The client's whole address; nil for a connection without an address.
  func address(of peer: IPAddress?, _ headers: HTTPFields) -> IPAddress? {
    guard let peer else { return nil }
    var client = peer
    guard contains(peer) else { return client }
    for hop in hops(headers) {
      guard let address = address(of: hop) else { break }
      client = address
      guard contains(address) else { break }
    }
    return client
  }

  /// From the right end, beginning with the nearest hop.
  private func hops(_ headers: HTTPFields) -> [Substring] {
    let name = header == .forwarded ? HTTPField.Name.forwarded : .xForwardedFor
    var hops: [Substring] = []
    for line in headers[values: name].reversed() {
      guard line.utf8.count <= Self.maximumBytes else { break }
      // A comma within quotes counts as a separator, too: no address contains one, and a client's
      // unclosed quote can't hide what a proxy wrote after it. The split works on bytes, so that no
      // character of the client can combine with the comma.
      hops += line.utf8.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
        .reversed().map { Substring($0) }
      guard hops.count < Self.maximumHops else { break }
    }
    return Array(hops.prefix(Self.maximumHops))
  }

  private func address(of hop: Substring) -> IPAddress? {
    switch header {
    case .xForwardedFor: Self.address(ofNode: Self.trimmed(hop))
    case .forwarded: Self.address(ofElement: hop)
    }
  }

  /// `for=192.0.2.60;proto=https`, `For="[2001:db8::1]:4711"` (RFC 7239 §4).
  private static func address(ofElement element: Substring) -> IPAddress? {
    for pair in element.split(separator: ";") {
      let parts = pair.split(separator: "=", maxSplits: 1)
      guard parts.count == 2, trimmed(parts[0]).lowercased() == "for" else { continue }
      var node = trimmed(parts[1])
      if node.hasPrefix("\""), node.hasSuffix("\""), node.utf8.count >= 2 {
        node = node.dropFirst().dropLast()
      }
      return address(ofNode: node)
    }
    return nil
  }

  /// An address with or without a port: `192.0.2.60:4711`, `[2001:db8::1]`, `2001:db8::1`.
  private static func address(ofNode node: Substring) -> IPAddress? {
    guard (1...64).contains(node.utf8.count) else { return nil }
    if let address = IPAddress(String(node)) { return address }
    guard let host = LoopbackName.host(ofAuthority: node) else { return nil }
    return IPAddress(host.hasPrefix("[") ? String(host.dropFirst().dropLast()) : host)
  }

  private static func trimmed(_ text: Substring) -> Substring {
    var text = text
    while let first = text.utf8.first, first == 0x20 || first == 0x09 { text.removeFirst() }
    while let last = text.utf8.last, last == 0x20 || last == 0x09 { text.removeLast() }
    return text
  }
}

extension HTTPField.Name {
  /// The literals are valid tokens (RFC 9110 §5.6.2), so the fallbacks are never used.
  static let xForwardedFor = HTTPField.Name("x-forwarded-for") ?? .via
  static let forwarded = HTTPField.Name("forwarded") ?? .via
}
