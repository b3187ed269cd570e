import GatehouseFederation
import GatehouseModel

/// The address of a page that asks for a sign-in: `location.href`, its fragment included.
///
/// What names the host is read as strictly as an app's address is. What follows it is the page's own
/// and only has to be plain: it is given back to that host as it came, and nothing is added to it.
struct PageAddress: Hashable, Sendable {
  let url: String
  /// As browsers write it (HTML Standard §7.1.1): in lower case, without the scheme's own port.
  let origin: String

  /// Nil for what a browser could read otherwise than we do, and for what isn't http or https.
  init?(_ text: String) {
    guard text.utf8.count <= OutboundURL.maximumBytes,
      text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }),
      !ReturnAddresses.hasDotSegments(text),
      let scheme = ["https://", "http://"].first(where: { text.utf8.starts(with: $0.utf8) })
    else { return nil }
    // A backslash is a slash to browsers (URL Standard §4.4), so it may not stand before one.
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
