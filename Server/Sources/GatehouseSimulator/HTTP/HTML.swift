import HTTPTypes
import Hummingbird
import NIOCore

/// One of the simulator's own pages, without scripts.
struct HTML: Sendable {
  /// The maximum number of entries of a list that are shown.
  static let shownRows = 50

  let title: String
  let body: String

  /// Escapes text for element content or a quoted attribute.
  static func escape(_ text: String) -> String { FormPostPage.escape(text) }

  /// A table with a heading for each column; cells are HTML.
  static func table(_ headings: [String], _ rows: [[String]]) -> String {
    guard !rows.isEmpty else { return "<p class=\"none\">None.</p>" }
    let head = headings.map { "<th scope=\"col\">\(escape($0))</th>" }.joined()
    let lines = rows.map { row in
      "<tr>" + row.map { "<td>\($0)</td>" }.joined() + "</tr>"
    }
    return "<table><thead><tr>\(head)</tr></thead><tbody>\(lines.joined(separator: "\n"))"
      + "</tbody></table>"
  }

  static func code(_ text: String) -> String { "<code>\(escape(text))</code>" }

  /// A button that posts `fields` to `action`.
  static func button(
    _ label: String, _ action: String, _ fields: KeyValuePairs<String, String> = [:]
  ) -> String {
    let inputs = fields.map { name, value in
      "<input type=\"hidden\" name=\"\(escape(name))\" value=\"\(escape(value))\">"
    }
    return "<form method=\"post\" action=\"\(escape(action))\">\(inputs.joined())"
      + "<button>\(escape(label))</button></form>"
  }

  func response() -> Response {
    let nonce = RandomToken.base64(bytes: 16)
    let page = """
      <!DOCTYPE html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <title>\(Self.escape(title))</title>
      <style nonce="\(nonce)">\(Self.style)</style>
      </head>
      <body>
      <main>
      <h1>\(Self.escape(title))</h1>
      \(body)
      </main>
      </body>
      </html>
      """
    return Response(
      status: .ok,
      headers: [
        .contentType: "text/html; charset=utf-8", .cacheControl: "no-store",
        .contentSecurityPolicy: "default-src 'none'; style-src 'nonce-\(nonce)'; "
          + "form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
      ],
      body: ResponseBody(byteBuffer: ByteBuffer(string: page)))
  }

  private static let style = """
    :root { color-scheme: light dark; }
    body { font: 16px/1.5 system-ui, sans-serif; margin: 0; }
    main { max-width: 64rem; margin: 0 auto; padding: 1.5rem; }
    table { border-collapse: collapse; width: 100%; }
    th, td { text-align: left; padding: .35rem .75rem .35rem 0; vertical-align: top;
      border-bottom: 1px solid color-mix(in srgb, currentColor 20%, transparent); }
    td { overflow-wrap: anywhere; }
    form { display: inline-block; margin: 0 .5rem .25rem 0; }
    .none { opacity: .7; }
    """
}
