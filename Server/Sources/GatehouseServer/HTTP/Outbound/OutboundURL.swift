import GatehouseProtocol

/// An absolute http or https URL in exactly the form in which it is sent.
///
/// Narrower than RFC 3986: no user information, no fragment, and no characters that would need
/// escaping. The host is a name of letters, digits, `.`, `-` and `_`, which become lower case, or
/// an IPv6 literal in brackets. So the HTTP library connects to exactly the host that was checked
/// here.
package struct OutboundURL: ByteExact {
  /// At most this many bytes.
  package static let maximumBytes = 2048

  package let text: String
  package let isSecure: Bool
  /// In lower case; an IPv6 literal without its brackets.
  package let host: String
  package let port: Int

  /// Returns nil if `text` has another form.
  package init?(_ text: String) {
    guard text.utf8.count <= Self.maximumBytes, text.utf8.allSatisfy(Self.isPlain),
      let colon = text.firstIndex(of: ":"), text[colon...].hasPrefix("://")
    else { return nil }
    let scheme = text[..<colon].asciiLowercased
    guard scheme == "https" || scheme == "http" else { return nil }
    let rest = text[colon...].dropFirst(3)
    let end = rest.firstIndex { $0 == "/" || $0 == "?" } ?? rest.endIndex
    guard let authority = Authority(rest[..<end].asciiLowercased) else { return nil }
    var tail = String(rest[end...])
    if !tail.utf8.starts(with: "/".utf8) { tail = "/" + tail }

    isSecure = scheme == "https"
    host = authority.host
    port = authority.port ?? (isSecure ? 443 : 80)
    let named = authority.isIPv6 ? "[\(authority.host)]" : authority.host
    self.text = "\(scheme)://\(named)\(authority.port.map { ":\($0)" } ?? "")\(tail)"
  }

  /// `https://host/path` from literals in this source code.
  init(secureHost host: StaticString, path: StaticString) {
    self.host = "\(host)"
    isSecure = true
    port = 443
    text = "https://\(host)\(path)"
  }

  /// Appends `path` to a base URL, which may end in a slash.
  package init?(base: String, path: String) {
    let base = base.utf8.last == UInt8(ascii: "/") ? String(base.dropLast()) : base
    self.init(base + path)
  }

  /// Whether the host's name means this machine; see `LoopbackName`.
  package var namesLoopback: Bool { LoopbackName.isLoopback(host) }

  /// Whether a browser may take a secret, such as a provider's response or an email's code, to the URL.
  /// Every check of a project's authorized domains asks this. The host alone isn't enough, because over
  /// http others can read the secret: http is accepted only on this machine and in `--dev`.
  package func isAuthorized(by domains: [String], isDevelopment: Bool) -> Bool {
    let isNamed = domains.contains { $0.asciiLowercased.hasSameBytes(as: host) }
    if ["127.0.0.1", "::1"].containsBytes(of: host) {
      return isNamed || ["localhost", "127.0.0.1"].contains { domains.containsBytes(of: $0) }
    }
    return isNamed && (isSecure || isDevelopment || namesLoopback)
  }

  /// Visible ASCII that RFC 3986 allows somewhere in a URL, without `#`. See ``Authority`` for the
  /// characters of a host.
  private static func isPlain(_ byte: UInt8) -> Bool {
    (0x21...0x7E).contains(byte) && !"#\"<>\\^`{|}".utf8.contains(byte)
  }

}

/// `host [":" port]` (RFC 3986 §3.2) without user information.
private struct Authority {
  var host: String
  var isIPv6: Bool
  var port: Int?

  init?(_ text: String) {
    var portText: Substring?
    if text.utf8.first == UInt8(ascii: "[") {
      guard let bracket = text.firstIndex(of: "]") else { return nil }
      host = String(text[text.index(after: text.startIndex)..<bracket])
      isIPv6 = true
      let rest = text[text.index(after: bracket)...]
      if !rest.isEmpty {
        guard rest.utf8.first == UInt8(ascii: ":") else { return nil }
        portText = rest.dropFirst()
      }
      guard case .v6 = IPAddress(host) else { return nil }
    } else {
      let parts = text.split(separator: ":", omittingEmptySubsequences: false)
      guard let name = parts.first, parts.count <= 2 else { return nil }
      host = String(name)
      isIPv6 = false
      portText = parts.count == 2 ? parts[1] : nil
      guard (1...253).contains(host.utf8.count), host.utf8.allSatisfy(Self.isNameByte) else {
        return nil
      }
    }
    if let portText {
      guard (1...5).contains(portText.utf8.count),
        portText.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int(portText),
        (1...65_535).contains(number)
      else { return nil }
      port = number
    }
  }

  private static func isNameByte(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
      || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || ".-_".utf8.contains(byte)
  }
}
