import HTTPTypes
import Hummingbird
import NIOCore

/// How an authorization endpoint returns its response (OAuth 2.0 Multiple Response Types §2.1, Form
/// Post Response Mode §2).
enum ResponseMode: String, Sendable {
  case query
  case fragment
  case formPost = "form_post"
}

/// Parameters for a redirect URI, sent through the person's browser.
struct AuthorizationAnswer: Sendable {
  let mode: ResponseMode
  /// Checked by ``RedirectURI/check(_:webOnly:)``.
  let redirectURI: String
  let fields: [(name: String, value: String)]

  func response() -> Response {
    switch mode {
    case .query:
      redirect(to: redirectURI + (redirectURI.utf8.contains(UInt8(ascii: "?")) ? "&" : "?"))
    case .fragment: redirect(to: redirectURI + "#")
    case .formPost: FormPostPage(action: redirectURI, fields: fields).response()
    }
  }

  private func redirect(to prefix: String) -> Response {
    let encoded = fields.map { "\(Self.encode($0.name))=\(Self.encode($0.value))" }
    return Response(
      status: .found,
      headers: [.location: prefix + encoded.joined(separator: "&"), .cacheControl: "no-store"])
  }

  /// Percent-encodes every byte except RFC 3986's unreserved characters.
  static func encode(_ text: String) -> String {
    var encoded = ""
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
        UInt8(ascii: "_"), UInt8(ascii: "~"):
        encoded.unicodeScalars.append(Unicode.Scalar(byte))
      default: encoded += "%" + Hex.text([byte]).uppercased()
      }
    }
    return encoded
  }
}
