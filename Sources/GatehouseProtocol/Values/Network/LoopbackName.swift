/// Whether a name is a loopback name of this machine. The same rule decides which addresses may use
/// plain http, where a server with `--dev` may listen, and which web pages may send requests to it.
public enum LoopbackName {
  /// The greatest length of a host name in text form (RFC 1035 §2.3.4: 255 bytes in a message).
  static let maximumBytes = 253

  /// Whether `host` is `localhost`, a name below it (RFC 6761 §6.3), or a loopback address.
  ///
  /// - Parameter host: A name, or an address. An IPv6 address may have brackets. A text of more than
  ///   `maximumBytes` is neither.
  public static func isLoopback(_ host: some StringProtocol) -> Bool {
    // Swift compares some long texts very slowly, and this one may come from a request's header.
    guard host.utf8.count <= maximumBytes else { return false }
    let host = host.lowercased()
    if host == "localhost" || host.hasSuffix(".localhost") { return true }
    let isBracketed = host.hasPrefix("[") && host.hasSuffix("]")
    switch IPAddress(isBracketed ? String(host.dropFirst().dropLast()) : host)?.unmapped {
    case .v4(let address)?: return address >> 24 == 127
    case .v6(let high, let low)?: return high == 0 && low == 1
    case nil: return false
    }
  }

  /// The host of `host[:port]`, for an IPv6 address with its brackets; nil for any other form.
  public static func host(ofAuthority authority: some StringProtocol) -> String? {
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

  /// Whether a request's `Origin` (RFC 6454 §7) is a page on this machine; false for `null`.
  public static func isLoopback(origin: String) -> Bool {
    for scheme in ["http://", "https://"] where origin.utf8.starts(with: scheme.utf8) {
      let authority = String(decoding: origin.utf8.dropFirst(scheme.utf8.count), as: UTF8.self)
      return host(ofAuthority: authority).map { isLoopback($0) } ?? false
    }
    return false
  }
}
