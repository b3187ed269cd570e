import Crypto
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore

/// One of the simulator's own pages, without scripts.
struct HTML: Sendable {
  /// The maximum number of entries of a list that are shown.
  static let shownRows = 50

  let title: String
  var status = HTTPResponse.Status.ok
  let body: String

  /// Escapes text for element content or a quoted attribute.
  static func escape(_ text: String) -> String { FormPostPage.escape(text) }

  /// A table with a heading for each column; cells are HTML. On a narrow screen, each row is a list
  /// with the headings.
  ///
  /// - Parameter none: What the page says instead if there are no rows.
  static func table(_ headings: [String], _ rows: [[String]], none: String = "None.") -> String {
    guard !rows.isEmpty else { return "<p class=\"quiet\">\(escape(none))</p>" }
    let head = headings.map { "<th scope=\"col\">\(escape($0))</th>" }.joined()
    let lines = rows.map { row in
      "<tr>"
        + zip(headings, row).map { "<td data-label=\"\(escape($0))\"><div>\($1)</div></td>" }
        .joined()
        + "</tr>"
    }
    return "<table><thead><tr>\(head)</tr></thead><tbody>\(lines.joined(separator: "\n"))"
      + "</tbody></table>"
  }

  static func code(_ text: String) -> String { "<code>\(escape(text))</code>" }

  /// A button that posts `fields` to `action`.
  static func button(
    _ label: String, _ action: String, _ fields: KeyValuePairs<String, String> = [:],
    style: String = ""
  ) -> String {
    let inputs = fields.map { name, value in
      "<input type=\"hidden\" name=\"\(escape(name))\" value=\"\(escape(value))\">"
    }
    return "<form method=\"post\" action=\"\(escape(action))\">\(inputs.joined())"
      + "<button\(style.isEmpty ? "" : " class=\"\(style)\"")>\(escape(label))</button></form>"
  }

  /// A button that asks before it posts.
  static func button(
    _ label: String, asking question: String, _ action: String,
    _ fields: KeyValuePairs<String, String> = [:]
  ) -> String {
    "<details class=\"question\"><summary class=\"button\">\(escape(label))</summary>"
      + "<p>\(escape(question))</p>\(button(label, action, fields, style: "danger"))</details>"
  }

  func response() -> Response {
    let page = """
      <!DOCTYPE html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <title>\(Self.escape(title))</title>
      <style>\(Self.style)</style>
      </head>
      <body>
      <main>
      <h1><span class="gate" aria-hidden="true"></span>\(Self.escape(title))</h1>
      \(body)
      </main>
      </body>
      </html>
      """
    return Response(
      status: status,
      headers: [
        .contentType: "text/html; charset=utf-8", .cacheControl: "no-store",
        .contentSecurityPolicy: "default-src 'none'; style-src \(Self.hash(of: Self.style)); "
          + "form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
        // The pages' forms must send their Origin; other sites get no referrer.
        .referrerPolicy: "same-origin", .xContentTypeOptions: "nosniff",
      ],
      body: ResponseBody(byteBuffer: ByteBuffer(string: page)))
  }

  /// What all pages have in common.
  static let design = String(decoding: PackageResources.design_css, as: UTF8.self)

  /// CSP Level 3 §8.4.
  static func hash(of style: String) -> String {
    "'sha256-" + Data(SHA256.hash(data: Data(style.utf8))).base64EncodedString() + "'"
  }

  private static let style =
    design + """
      :root{--control:2.5rem}
      body{font-size:.9375rem}
      main{display:grid;grid-template-columns:minmax(0,1fr);gap:1.25rem;max-width:76rem;margin:0 auto;padding:1.5rem clamp(.875rem,3vw,2rem) 4rem}
      h1{display:flex;gap:.625rem;align-items:center}
      .lead{max-width:44rem;color:var(--quiet)}
      nav{display:flex;flex-wrap:wrap;gap:.375rem 1.25rem}
      section{display:grid;grid-template-columns:minmax(0,1fr);gap:.875rem;align-content:start}
      section{padding:1.25rem;scroll-margin-top:1rem}
      .columns{display:grid;gap:1rem 2.5rem;grid-template-columns:repeat(auto-fit,minmax(min(100%,19rem),1fr))}
      .fields{display:grid;gap:.875rem;align-content:start;justify-items:start;max-width:30rem}
      .wide{max-width:none}
      .row{display:grid;gap:.875rem;grid-template-columns:repeat(auto-fit,minmax(min(100%,14rem),1fr));width:100%;max-width:60rem}
      .field{display:grid;gap:.25rem;width:100%}.field>label{font-weight:550}
      .check{display:flex;gap:.625rem;align-items:start}
      textarea{font:.8125rem/1.55 var(--mono);min-height:14rem}
      table{width:100%;border-collapse:collapse}
      th,td{padding:.5rem .75rem .5rem 0;text-align:start;vertical-align:top;overflow-wrap:anywhere}
      th{color:var(--quiet);font-size:.8125rem;font-weight:600;overflow-wrap:normal}
      tbody tr{border-top:1px solid var(--line)}
      td:last-child{min-width:8rem}
      td small{display:block}
      td form,td details{display:inline-block;margin:0 .375rem .25rem 0}
      td button,td .button{min-height:2rem;padding:.125rem .625rem;font-size:.8125rem}
      .badge{display:inline-block;padding:.0625rem .5rem;border-radius:1rem;background:var(--well);color:var(--quiet);
      font-size:.75rem;font-weight:600;line-height:1.5;white-space:nowrap}
      .badge.good{background:var(--good-paper);color:var(--good)}
      .badge.warn{background:var(--warm-paper);color:var(--warm)}
      summary:not(.button){font-weight:550}details[open]>summary:not(.button){margin-bottom:.5rem}
      summary.button{list-style:none}summary.button::-webkit-details-marker{display:none}
      .question[open]{padding:.75rem;background:var(--bad-paper);border:1px solid var(--bad);border-radius:var(--round-small)}
      td .question[open]{min-width:min(14rem,100%)}
      .question :is(button,summary){white-space:nowrap}
      .question p{margin:.5rem 0;max-width:24rem}
      .problem{padding:1rem 1.25rem;background:var(--bad-paper);border:1px solid var(--bad);border-left-width:.375rem;
      border-radius:var(--round)}
      @media(max-width:44rem){
      thead{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
      table,tbody,tr,td{display:block}
      tbody tr{padding:.5rem 0}
      td{display:grid;grid-template-columns:6rem minmax(0,1fr);gap:.75rem;padding:.25rem 0}
      td::before{content:attr(data-label);color:var(--quiet);font-size:.8125rem}
      td:has(>div:empty){display:none}
      section{padding:1rem}}
      @media(forced-colors:active){.badge,.gate{border:1px solid}}
      """
}

extension Request {
  var asksForHTML: Bool { headers[.accept]?.foldingASCII().contains("text/html") == true }
}
