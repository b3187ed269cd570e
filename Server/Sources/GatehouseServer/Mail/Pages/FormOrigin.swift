import GatehouseProtocol
import HTTPTypes

/// Whether a page of this server posted a form.
///
/// The pages use no cookies: the code alone authorizes the request. So an attacker's site can't do
/// more to an account with a victim's browser than the attacker can do without it. But it could
/// mislead the victim: the operator's page would report a change of an account that isn't the
/// victim's; the password manager would store a password that the attacker chose; failed attempts
/// would count against the victim's address. A form of another site is therefore rejected before
/// its code is looked up.
struct FormOrigin: Sendable {
  let configuration: APIConfiguration

  /// Reads `Sec-Fetch-Site`, which pages can't set (W3C, Fetch Metadata Request Headers §2.3):
  /// every current browser sends it to https and to loopback. `none` is a request that a person
  /// began.
  /// Older browsers send only `Origin`, which must be the origin of the page's own URL. A request
  /// with neither header is rejected: all known browsers send one of them with a POST.
  ///
  /// - Throws: ``ActionPageFault/otherSite``.
  func check(_ call: Call, _ project: Project) throws(ActionPageFault) {
    let headers = call.head.headerFields
    if let site = headers[.fetchSite] {
      guard ["same-origin", "none"].containsBytes(of: site) else { throw .otherSite }
      return
    }
    let own = HandlerAddress(call, project, configuration)
    guard let origin = headers[.origin], origin.hasSameBytes(as: own.origin) else {
      throw .otherSite
    }
  }
}

extension HandlerAddress {
  /// The URL without its path (RFC 6454 §6.2).
  var origin: String { String(url.dropLast(pathPrefix.count)) }
}

extension HTTPField.Name {
  fileprivate static let fetchSite = HTTPField.Name("sec-fetch-site") ?? .userAgent
}
