import Crypto
import HTTPTypes

import struct Foundation.Data

/// A page that users see during a sign-in.
///
/// It runs no script except one ``PageScript`` of this server. It loads nothing else, can't be
/// framed, and doesn't tell other sites where the user came from.
struct HTMLPage: Sendable {
  let status: HTTPResponse.Status
  let html: String
  let headers: HTTPFields

  /// - Parameter prefix: The path of the public URL. The script is below it.
  init(_ content: PageContent, _ language: PageLanguage, below prefix: String = "") {
    status = content.status
    html = Self.html(content, language, prefix)
    headers = PageHeaders.page(runsScript: content.script != nil)
  }

  private static func html(
    _ content: PageContent, _ language: PageLanguage, _ prefix: String
  ) -> String {
    let text = content.text(in: language)
    let script =
      content.script.map {
        "\n<script src=\"\(escaped(prefix + $0.path))\" defer></script>"
      } ?? ""
    // A data block runs no script, so the content security policy doesn't apply to it (HTML
    // Standard §4.12.1).
    let data =
      content.data.map { "\n<script type=\"application/json\" id=\"data\">\($0)</script>" } ?? ""
    let failure =
      content.failure(in: language).map {
        """

        <section id="failure" role="alert" hidden>
        <h1>\(escaped($0.title))</h1>
        <p>\(escaped($0.body))</p>
        </section>
        """
      } ?? ""
    let detail =
      content.detail.map {
        """

        <details><summary>\(operators(language))</summary><p lang="en">\(marked($0))</p></details>
        """
      } ?? ""
    return """
      <!DOCTYPE html>
      <html lang="\(language.rawValue)">
      <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta name="robots" content="noindex">
      <title>\(escaped(text.title))</title>
      \(refresh(content))<style>\(style)</style>\(script)
      </head>
      <body>
      <main>
      <section id="text">
      <h1>\(escaped(text.title))</h1>
      <p>\(escaped(text.body))</p>\(appLink(content, language))\(detail)
      </section>\(failure)
      </main>\(data)
      </body>
      </html>

      """
  }

  /// Opens the app without a script. The URL was checked when the sign-in began.
  private static func refresh(_ content: PageContent) -> String {
    guard content.opensByItself, let link = content.appLink else { return "" }
    return "<meta http-equiv=\"refresh\" content=\"0;url=\(escaped(link))\">\n"
  }

  private static func appLink(_ content: PageContent, _ language: PageLanguage) -> String {
    guard let link = content.appLink else { return "" }
    let label =
      switch language {
      case .english: "Open the app"
      case .german: "App öffnen"
      case .vietnamese: "Mở ứng dụng"
      }
    return "\n<p><a class=\"go\" id=\"open-app\" href=\"\(escaped(link))\">\(label)</a></p>"
  }

  private static func operators(_ language: PageLanguage) -> String {
    switch language {
    case .english: "For the operator of the app"
    case .german: "Für die Betreiber der App"
    case .vietnamese: "Dành cho người vận hành ứng dụng"
    }
  }

  /// Text between backticks is shown as code.
  private static func marked(_ text: String) -> String {
    text.split(separator: "`", omittingEmptySubsequences: false).map { escaped(String($0)) }
      .enumerated().map { $0.offset % 2 == 0 ? $0.element : "<code>\($0.element)</code>" }.joined()
  }

  private static let style = """
    :root{color-scheme:light dark;--ink:#1c1c1e;--paper:#f5f5f7;--card:#fff;--quiet:#5b5b60;
    --go:#1d5c4f;--on-go:#fff}
    @media(prefers-color-scheme:dark){:root{--ink:#f2f2f4;--paper:#111113;--card:#1e1e21;--quiet:#a5a5ab;
    --go:#7fd1bb;--on-go:#0e2a24}}
    body{margin:0;min-height:100vh;display:grid;place-items:center;background:var(--paper);
    color:var(--ink);font:1.0625rem/1.5 system-ui,sans-serif}
    main{max-width:28rem;margin:1.5rem;padding:2rem;background:var(--card);border-radius:1rem}
    h1{margin:0 0 .75rem;font-size:1.375rem;line-height:1.3}p{margin:0}
    details{margin-top:1.5rem;color:var(--quiet);font-size:.9375rem}
    summary{cursor:pointer}details p{margin-top:.5rem}
    code{overflow-wrap:anywhere;font-size:.9em;color:var(--ink)}
    .go{display:inline-block;margin-top:1.25rem;padding:.75rem 1.25rem;border-radius:.625rem;
    background:var(--go);color:var(--on-go);font-weight:600;text-decoration:none}
    .go:focus-visible{outline:3px solid var(--go);outline-offset:3px}
    """

  /// The hash that allows only the page's own style (CSP Level 3 §8.4).
  static let styleHash =
    "'sha256-" + Data(SHA256.hash(data: Data(style.utf8))).base64EncodedString() + "'"

  /// By Unicode scalars: in a `String`, a quote followed by a combining mark is a different
  /// character.
  static func escaped(_ text: String) -> String {
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

/// The headers of pages, and of redirects on the way.
enum PageHeaders {
  /// The URLs of this flow must not be passed on to other sites or stored.
  static let redirect: HTTPFields = [
    .referrerPolicy: "no-referrer", .cacheControl: "no-store",
  ]

  static func page(runsScript: Bool) -> HTTPFields {
    let script = runsScript ? "script-src 'self'; " : ""
    let policy =
      "default-src 'none'; \(script)style-src \(HTMLPage.styleHash); base-uri 'none'; "
      + "form-action 'none'; frame-ancestors 'none'"
    return [
      .referrerPolicy: "no-referrer", .cacheControl: "no-store",
      .contentSecurityPolicy: policy,
    ]
  }
}

extension HTTPFields {
  /// Replaces existing fields with the fields of `others` that have the same name.
  mutating func merge(_ others: HTTPFields) {
    for field in others { self[field.name] = field.value }
  }
}

extension HTTPField.Name {
  static let referrerPolicy = HTTPField.Name("referrer-policy") ?? .contentSecurityPolicy
  static let openerPolicy =
    HTTPField.Name("cross-origin-opener-policy") ?? .contentSecurityPolicy
}

extension Answer {
  init(_ page: HTMLPage) {
    self.init(json: Array(page.html.utf8))
    contentType = "text/html; charset=utf-8"
    status = page.status
    headers = page.headers
  }
}
