import GatehouseProtocol

/// The URL of a page that asks for a sign-in: `location.href`, including its fragment.
///
/// The part that names the host is checked as strictly as an app's URL. The rest belongs to the
/// page and only has to be printable ASCII: it is returned to that host unchanged, and nothing is
/// added to it.
struct PageAddress: Hashable, Sendable {
  let url: String
  /// In the form in which browsers write it (HTML Standard §7.1.1): lower case, without the
  /// scheme's default port.
  let origin: String

  /// Nil if a browser and this server could parse the URL differently, or if it isn't http or
  /// https.
  init?(_ text: String) {
    guard text.utf8.count <= OutboundURL.maximumBytes,
      text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }),
      !ReturnAddresses.hasDotSegments(text),
      let scheme = ["https://", "http://"].first(where: { text.utf8.starts(with: $0.utf8) })
    else { return nil }
    // Browsers treat a backslash as a slash (URL Standard §4.4), so the host must not be followed
    // by one.
    let rest = text.utf8.dropFirst(scheme.utf8.count)
    let end = rest.firstIndex { #"/?#\"#.utf8.contains($0) } ?? rest.endIndex
    guard rest[end...].first != UInt8(ascii: "\\"),
      let site = OutboundURL(String(text[..<end]))
    else { return nil }
    let host = site.host.utf8.contains(UInt8(ascii: ":")) ? "[\(site.host)]" : site.host
    let isUsualPort = site.port == (site.isSecure ? 443 : 80)
    origin = scheme + host + (isUsualPort ? "" : ":\(site.port)")
    url = text
  }
}
