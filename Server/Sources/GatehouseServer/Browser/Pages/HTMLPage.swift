import Crypto
import struct Foundation.Data
import GatehouseProtocol
import HTTPTypes

/// A page for users.
///
/// It loads nothing but a script of this server and the project's logo, if it has them, can't be framed,
/// isn't stored or indexed, and doesn't tell other sites where the user came from.
struct HTMLPage: Sendable {
  let status: HTTPResponse.Status
  let html: String
  let headers: HTTPFields

  /// - Parameters:
  ///   - main: The content of `<main>`, with the one `<h1>`.
  ///   - abilities: Must contain what `main` and `parts` need, or the browser prevents it.
  init(
    _ status: HTTPResponse.Status, _ language: PageLanguage, title: String, main: HTML,
    parts: PageParts = PageParts(), abilities: PageAbilities = [],
    brand: PageBrand = PageBrand(nil)
  ) {
    self.status = status
    headers = PageHeaders.page(abilities, brand)
    let brandStyle = brand.style.map { "<style>\(HTML(verbatim: $0))</style>" as HTML }
    let document: HTML = """
      <!DOCTYPE html>
      <html lang="\(language.rawValue)">
      <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta name="robots" content="noindex">
      <title>\(brand.title(title))</title>
      \(parts.head)<style>\(HTML(verbatim: PageStyle.text))</style>\(brandStyle)\(parts.script)
      </head>
      <body>
      <main class="card">
      \(brand.header)\(main)\(brand.footer(language))
      </main>\(parts.end)
      </body>
      </html>

      """
    html = document.text
  }
}

/// The parts of a page that few pages have.
struct PageParts: Sendable {
  /// Before the style.
  var head: HTML = ""
  /// After the style.
  var script: HTML = ""
  /// After `<main>`.
  var end: HTML = ""
}

/// What a page does beyond showing text. The browser prevents everything else (CSP Level 3).
struct PageAbilities: OptionSet, Sendable {
  let rawValue: Int

  static let script = PageAbilities(rawValue: 1)
  /// Posts a form to this server.
  static let form = PageAbilities(rawValue: 2)
}

/// The headers of pages, and of redirects on the way.
enum PageHeaders {
  /// The URLs of this flow must not be passed on to other sites or stored.
  static let redirect: HTTPFields = [
    .referrerPolicy: "no-referrer", .cacheControl: "no-store",
  ]

  static func page(_ abilities: PageAbilities, _ brand: PageBrand) -> HTTPFields {
    let brand = brand.sources
    let script = abilities.contains(.script) ? "script-src 'self'; " : ""
    let policy =
      "default-src 'none'; \(script)style-src \(PageStyle.hash)\(brand.style); "
      + "\(brand.pictures)base-uri 'none'; "
      + "form-action \(abilities.contains(.form) ? "'self'" : "'none'"); frame-ancestors 'none'"
    return [
      // Other sites learn nothing from either value. With `no-referrer`, the browser would hide
      // the origin of a form from this server too (`Origin: null`, Fetch Standard §3.2).
      .referrerPolicy: abilities.contains(.form) ? "same-origin" : "no-referrer",
      .cacheControl: "no-store", .contentSecurityPolicy: policy, .robotsTag: "noindex",
    ]
  }
}

extension HTTPFields {
  /// Whether a person's browser asks for a page. Programs and scripts ask for JSON or anything.
  var acceptsHTML: Bool {
    self[.accept].map { $0.utf8.count <= 1024 && $0.asciiLowercased.contains("text/html") } == true
  }

  /// Replaces existing fields with the fields of `others` that have the same name.
  mutating func merge(_ others: HTTPFields) {
    for field in others { self[field.name] = field.value }
  }
}

extension HTTPField.Name {
  static let referrerPolicy = HTTPField.Name("referrer-policy") ?? .contentSecurityPolicy
  static let openerPolicy =
    HTTPField.Name("cross-origin-opener-policy") ?? .contentSecurityPolicy
  fileprivate static let robotsTag = HTTPField.Name("x-robots-tag") ?? .contentSecurityPolicy
}

extension Answer {
  init(_ page: HTMLPage) {
    self.init(json: Array(page.html.utf8))
    contentType = "text/html; charset=utf-8"
    status = page.status
    headers = page.headers
  }
}

/// The style of all pages for users.
enum PageStyle {
  /// What all pages have in common, the console too.
  static let design = String(decoding: PackageResources.design_css, as: UTF8.self)

  static let text =
    design + """
      body{min-height:100vh;display:grid;place-items:center;font-size:1.0625rem}
      main{width:min(32rem,100% - 2rem);margin:1rem;padding:clamp(1.5rem,6vw,2rem)}
      h1{margin-bottom:.75rem;font-size:1.5rem}p+p{margin-top:.75rem}
      details{margin-top:1.5rem;color:var(--quiet);font-size:.9375rem}details p{margin-top:.5rem}
      code{font-size:.9em;color:var(--ink)}
      form{margin-top:1.25rem}label{font-weight:550}
      input{margin-top:.375rem}
      input[aria-invalid]{border:2px solid var(--bad)}
      ul{margin-top:.5rem;padding-left:1.25rem;color:var(--quiet);font-size:.9375rem}
      .bad{margin-top:.5rem;color:var(--bad);font-weight:550}.bad ul{color:inherit}
      .quiet{margin-top:1.25rem;font-size:.9375rem}
      .app{margin-bottom:.5rem;color:var(--quiet);overflow-wrap:anywhere}
      .address{font-weight:550;overflow-wrap:anywhere}
      .go{margin-top:1.25rem}
      """

  static let hash = hash(of: text)

  /// The source that allows only this style (CSP Level 3 §8.4).
  static func hash(of style: String) -> String {
    "'sha256-" + Data(SHA256.hash(data: Data(style.utf8))).base64EncodedString() + "'"
  }
}
