import GatehouseAccounts
import GatehouseModel
import HTTPTypes

/// The cookie by which a browser is known again that began a sign-in: one for each, so that two tabs
/// don't meet.
struct BrowserCookie: Sendable {
  private let name: String
  private let attributes: String

  /// - Parameter isSecure: Whether the server is reached over https, by its configuration. Then the
  ///   name begins with `__Host-`, and no other host, and no page over http, can set it (RFC 6265bis
  ///   §4.1.3.2).
  init(_ signIn: BrowserSignIn, isSecure: Bool) {
    name = (isSecure ? "__Host-" : "") + "gatehouse-signin-\(signIn.cookieTag)"
    // Lax: it has to come along when the provider sends the browser back, and with no POST that
    // another site makes.
    attributes = "; Path=/; HttpOnly; SameSite=Lax" + (isSecure ? "; Secure" : "")
  }

  func setting(_ signIn: BrowserSignIn) -> String {
    "\(name)=\(signIn.cookieValue.reveal())\(attributes)"
      + "; Max-Age=\(Int(BrowserSignIn.lifetimeSeconds))"
  }

  var clearing: String { "\(name)=\(attributes); Max-Age=0" }

  func value(in headers: HTTPFields) -> String? {
    for header in headers[values: .cookie] {
      for pair in header.split(separator: ";") {
        let pair = pair.drop { $0 == " " }
        guard let equals = pair.utf8.firstIndex(of: UInt8(ascii: "=")),
          pair[..<equals].utf8.elementsEqual(name.utf8)
        else { continue }
        return String(pair[equals...].dropFirst())
      }
    }
    return nil
  }
}
