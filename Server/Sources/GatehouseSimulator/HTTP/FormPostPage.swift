import HTTPTypes
import Hummingbird
import NIOCore

/// A page that posts `fields` to `action` automatically, with a button for browsers without
/// scripts.
struct FormPostPage: Sendable {
  let action: String
  let fields: [(name: String, value: String)]

  func response() -> Response {
    let scriptNonce = RandomToken.base64(bytes: 16)
    return Response(
      status: .ok,
      headers: [
        .contentType: "text/html; charset=utf-8",
        .cacheControl: "no-store",
        .contentSecurityPolicy: "default-src 'none'; script-src 'nonce-\(scriptNonce)'",
      ],
      body: ResponseBody(byteBuffer: ByteBuffer(string: html(scriptNonce: scriptNonce))))
  }

  private func html(scriptNonce: String) -> String {
    let inputs = fields.map { field in
      "<input type=\"hidden\" name=\"\(Self.escape(field.name))\" "
        + "value=\"\(Self.escape(field.value))\">"
    }
    return """
      <!DOCTYPE html>
      <html lang="en">
      <head><meta charset="utf-8"><title>Signing in</title></head>
      <body>
      <form method="post" action="\(Self.escape(action))">
      \(inputs.joined(separator: "\n"))
      <noscript><button type="submit">Continue</button></noscript>
      </form>
      <script nonce="\(scriptNonce)">document.forms[0].submit()</script>
      </body>
      </html>
      """
  }

  /// Escapes text for element content or a quoted attribute. Works on scalars: in a `String`, a
  /// quote with a combining mark is a different character.
  static func escape(_ text: String) -> String {
    text.unicodeScalars.reduce(into: "") { escaped, scalar in
      switch scalar {
      case "&": escaped += "&amp;"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      case "\"": escaped += "&quot;"
      case "'": escaped += "&#39;"
      default: escaped.unicodeScalars.append(scalar)
      }
    }
  }
}
