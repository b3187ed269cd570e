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
      <main class="card">
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
    .contentSecurityPolicy: "default-src 'none'; style-src \(HTML.hash(of: style)); "
      + "frame-ancestors 'none'; base-uri 'none'",
    // The pages' forms must send their Origin; other sites get no referrer.
    .referrerPolicy: "same-origin", .xContentTypeOptions: "nosniff",
  ]

  private static let style =
    HTML.design + """
      body{min-height:100vh;display:grid;place-items:center;overflow-wrap:anywhere}
      main{width:min(27rem,100% - 2rem);margin:1.5rem auto;padding:clamp(1.25rem,6vw,1.75rem)}
      h1{margin-bottom:.5rem;font-size:1.5rem}
      p{margin-bottom:1rem}
      .note{padding:.5rem .75rem;border:1px dashed var(--edge);border-radius:var(--round-small);
      color:var(--quiet);font-size:.875rem}
      .quiet{font-size:.9375rem}
      .wrong{color:var(--bad)}
      ul{margin-bottom:1rem;padding-left:1.25rem}
      ul.persons{padding:0;list-style:none}
      li.choice{margin-left:-1.25rem;list-style:none}
      fieldset{margin:0 0 1rem;padding:.75rem 1rem 1rem;border:1px solid var(--line);border-radius:var(--round)}
      fieldset p{margin:.5rem 0 0}
      legend{padding:0 .25rem;font-weight:550}
      label{display:block;margin-top:.5rem}
      label.choice{display:flex;gap:.625rem;align-items:start}
      input{margin-top:.25rem}
      button,.button{width:100%;margin-top:.625rem}
      .persons button{display:block;padding-block:.625rem;text-align:start}
      .persons strong,.persons span{display:block}.persons span{font-weight:400}
      """
}

extension HTTPField.Name {
  static let referrerPolicy = HTTPField.Name("referrer-policy") ?? .contentSecurityPolicy
}
