import GatehouseModel
import HTTPTypes

/// The cookie by which the server recognizes the browser that began a sign-in. Each sign-in has its
/// own, so that two tabs don't interfere.
struct BrowserCookie: Sendable {
  private let name: String
  private let attributes: String

  /// - Parameter isSecure: Whether the server's configured URL is https. Then the name begins with
  ///   `__Host-`, and no other host, and no page over http, can set the cookie (RFC 6265bis
  ///   §4.1.3.2).
  init(_ signIn: BrowserSignIn, isSecure: Bool) {
    name = (isSecure ? "__Host-" : "") + "gatehouse-signin-\(signIn.cookieTag)"
    // Lax: the browser has to send the cookie when the provider redirects it back, but not with a
    // POST from another site.
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
