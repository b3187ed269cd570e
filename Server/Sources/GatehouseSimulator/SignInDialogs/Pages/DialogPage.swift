import Crypto
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore

/// A page of a simulated provider for a person: without scripts, and in its own style, so that it
/// can't be mistaken for the real provider's page.
struct DialogPage: Sendable {
  /// The page's name for tests: `data-step` of the body.
  let step: String
  let provider: Provider
  var status = HTTPResponse.Status.ok
  /// HTML. Texts in it are already escaped.
  let content: @Sendable (DialogTexts) -> (title: String, body: String)

  func response(_ language: DialogLanguage) -> Response {
    let texts = DialogTexts.of(language)
    let (title, body) = content(texts)
    let page = """
      <!DOCTYPE html>
      <html lang="\(language.rawValue)">
      <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta name="robots" content="noindex">
      <title>\(HTML.escape(title))</title>
      <style>\(Self.style)</style>
      </head>
      <body data-step="\(step)" data-provider="\(provider.rawValue)">
      <main>
      <p class="note">\(HTML.escape(texts.note(provider.displayName)))</p>
      <h1>\(HTML.escape(title))</h1>
      \(body)
      </main>
      </body>
      </html>

      """
    return Response(
      status: status, headers: Self.headers,
      body: ResponseBody(byteBuffer: ByteBuffer(string: page)))
  }

  /// There is no `form-action`: browsers also apply it to the redirects after a form, and these
  /// lead to the client, and from there to any address.
  private static let headers: HTTPFields = [
    .contentType: "text/html; charset=utf-8", .cacheControl: "no-store",
    .contentSecurityPolicy: "default-src 'none'; style-src \(styleHash); "
      + "frame-ancestors 'none'; base-uri 'none'",
    // The pages' forms must send their Origin; other sites get no referrer.
    .referrerPolicy: "same-origin", .xContentTypeOptions: "nosniff",
  ]

  /// CSP Level 3 §8.4.
  private static let styleHash =
    "'sha256-" + Data(SHA256.hash(data: Data(style.utf8))).base64EncodedString() + "'"

  private static let style = """
    :root{color-scheme:light dark;--ink:#1b1d22;--quiet:#585d68;--paper:#eef0f4;--card:#fff;
    --line:#c9ced8;--edge:#7c8290;--accent:#2f5d50;--on-accent:#fff;--wrong:#a3262a}
    @media(prefers-color-scheme:dark){:root{--ink:#eceef2;--quiet:#a7adb9;--paper:#14161a;
    --card:#1f2227;--line:#434956;--edge:#868d9b;--accent:#8fd0bb;--on-accent:#10231d;--wrong:#ff9b95}}
    *{box-sizing:border-box}
    body{margin:0;min-height:100vh;display:grid;place-items:center;background:var(--paper);
    color:var(--ink);font:1.0625rem/1.5 system-ui,sans-serif;overflow-wrap:anywhere}
    main{width:min(27rem,100% - 2rem);margin:1.5rem auto;padding:1.75rem;background:var(--card);
    border:1px solid var(--line);border-radius:1rem}
    h1{margin:0 0 .25rem;font-size:1.375rem;line-height:1.3}
    p{margin:0 0 1rem}
    .note{padding:.5rem .75rem;border:1px dashed var(--line);border-radius:.5rem;
    color:var(--quiet);font-size:.875rem}
    .quiet{color:var(--quiet);font-size:.9375rem}
    .wrong{color:var(--wrong)}
    ul{margin:0 0 1rem;padding-left:1.25rem}
    ul.persons{padding:0;list-style:none}
    li.choice{margin-left:-1.25rem;list-style:none}
    fieldset p{margin:.5rem 0 0}
    fieldset{margin:0 0 1rem;padding:.75rem 1rem 1rem;border:1px solid var(--line);border-radius:.75rem}
    legend{padding:0 .25rem;font-weight:600}
    label{display:block;margin-top:.5rem}
    label.choice{display:flex;gap:.625rem;align-items:baseline}
    input[type=text],input[type=email]{display:block;width:100%;margin-top:.25rem;padding:.625rem .75rem;
    border:1px solid var(--edge);border-radius:.5rem;background:transparent;color:inherit;font:inherit}
    input[type=radio],input[type=checkbox]{accent-color:var(--accent)}
    button,.button{display:block;width:100%;margin-top:.625rem;padding:.75rem 1rem;
    border:1px solid var(--line);border-radius:.75rem;background:transparent;color:inherit;font:inherit;
    text-align:center;text-decoration:none;cursor:pointer}
    .persons button{text-align:left}
    .persons strong,.persons span{display:block}
    button.main{border-color:var(--accent);background:var(--accent);color:var(--on-accent);font-weight:600}
    a{color:var(--accent)}
    :focus-visible{outline:3px solid var(--accent);outline-offset:2px}
    """
}

extension HTTPField.Name {
  static let referrerPolicy = HTTPField.Name("referrer-policy") ?? .contentSecurityPolicy
}
