import GatehouseAccounts
import GatehouseModel
import HTTPTypes

/// Whether a page of this server posted a form.
///
/// The pages use no cookies, and the code authorizes the request, so another site can do nothing in
/// a victim's browser that its author can't do alone with the code. What the author would gain is
/// the victim's screen and address: the operator's page, which says that something was done to an
/// account that isn't the reader's; a password manager that stores a password of the author's
/// choice; failed attempts that are counted against the victim's address. A form of another site is
/// therefore rejected before its code is looked up.
struct FormOrigin: Sendable {
  let configuration: APIConfiguration

  /// By `Sec-Fetch-Site`, which pages can't set (W3C, Fetch Metadata Request Headers §2.3): every
  /// browser of today sends it to https and to loopback. `none` is a request that a person began.
  /// Older browsers send only `Origin`; it has to be the origin of the page's own URL. A browser
  /// that sends neither with a POST is none that this server knows.
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
