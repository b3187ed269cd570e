package import GatehouseModel
package import HTTPTypes

/// The proxies in front of this server, and what is believed of what they say.
///
/// Anybody can send a header. What one says of the client's address counts only if the connection
/// comes from a proxy that the operator named, and there only as far as named proxies wrote it:
/// each appends the address that it saw, so the list is read from its right end to the first
/// address that isn't a named proxy's. What stands left of it the client may have made up.
package struct TrustedProxies: Sendable {
  package var networks: [IPNetwork]
  package var header: Header

  /// The one header that the proxies write. The other isn't looked at: a proxy passes on what it
  /// doesn't know, and a client could put anything there.
  package enum Header: String, CaseIterable, Sendable {
    case xForwardedFor = "X-Forwarded-For"
    /// RFC 7239.
    case forwarded = "Forwarded"
  }

  /// More proxies in a row are nobody's; what lies beyond isn't read.
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
  /// A hop that can't be read (`unknown`, an obfuscated name, rubbish) ends the reading: the client
  /// is then the proxy that wrote it, as nothing is known of who is behind.
  ///
  /// - Parameter peer: The other end of the connection; nil if it has no address.
  package func client(of peer: IPAddress?, _ headers: HTTPFields) -> ClientAddress {
    guard let peer else { return .unknown }
    var client = peer
    guard contains(peer) else { return ClientAddress(client) }
    for hop in hops(headers) {
      guard let address = address(of: hop) else { break }
      client = address
      guard contains(address) else { break }
    }
    return ClientAddress(client)
  }

  /// From the right, which is from the nearest.
  private func hops(_ headers: HTTPFields) -> [Substring] {
    let name = header == .forwarded ? HTTPField.Name.forwarded : .xForwardedFor
    var hops: [Substring] = []
    for line in headers[values: name].reversed() {
      guard line.utf8.count <= Self.maximumBytes else { break }
      // A comma within quotes is taken for an end too: no address holds one, and a client's open
      // quote can't hide what a proxy wrote after it. In bytes, so that no letter of a client's can
      // make one character with it.
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
  /// Literals that are tokens (RFC 9110 §5.6.2): the fallbacks are never taken.
  fileprivate static let xForwardedFor = HTTPField.Name("x-forwarded-for") ?? .via
  fileprivate static let forwarded = HTTPField.Name("forwarded") ?? .via
}
