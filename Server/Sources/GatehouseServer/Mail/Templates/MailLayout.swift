/// Creates a template from sentences, with one layout for all mails.
///
/// The HTML loads no picture and no font, so the sender can't learn when it is read. It has no table.
/// Styles are inline, because mail programs remove other ones. A block of styles only adds the dark
/// colours, for programs that read it.
struct MailLayout {
  let language: BuiltInLanguage
  let text: MailText

  var plain: String {
    let phrases = language.phrases
    var blocks = [phrases.greeting] + text.paragraphs
    if let button = text.button {
      blocks += [
        "\(button):\n{{link}}",
        "{{#code}}\n\(phrases.code) {{code}}\n\n{{/code}}\n"
          + "{{#expiry}}\n\(phrases.validity)\n{{/expiry}}",
      ]
    }
    blocks += [text.otherwise, "-- \n\(phrases.footer)"]
    return blocks.joined(separator: "\n\n") + "\n"
  }

  /// The text around the values has no character that would have to be escaped in HTML. A test checks
  /// this.
  var html: String {
    """
    <!DOCTYPE html>
    <html lang="\(language.tag.text)">
    <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <meta name="supported-color-schemes" content="light dark">
    <title>\(text.subject)</title>
    <style>\(Self.darkStyle)</style>
    </head>
    <body class="paper" style="margin:0;padding:0;background:#f5f5f7">
    <div style="display:none;max-height:0;overflow:hidden">\(text.paragraphs[0])</div>
    <div class="paper" style="background:#f5f5f7;padding:24px 12px">
    <div class="card" style="\(Self.card)">
    <p class="quiet" style="margin:0 0 20px;color:#5b5b60;font-size:15px;font-weight:600">{{appName}}</p>
    <h1 style="margin:0 0 16px;font-size:22px;line-height:1.3;font-weight:700">\(text.heading)</h1>
    \(Self.paragraph(language.phrases.greeting))
    \(text.paragraphs.map(Self.paragraph).joined(separator: "\n"))
    \(action)\(Self.paragraph(text.otherwise))
    \(address)</div>
    <p class="quiet" style="\(Self.footer)">\(language.phrases.footer)</p>
    </div>
    </body>
    </html>

    """
  }

  private var action: String {
    guard let button = text.button else { return "" }
    return """
      <p style="margin:24px 0"><a class="go" href="{{link}}" style="\(Self.button)">\(button)</a></p>
      {{#code}}
      \(Self.paragraph(language.phrases.code))
      <p class="code" style="\(Self.code)">{{code}}</p>
      {{/code}}
      {{#expiry}}
      \(Self.paragraph(language.phrases.validity))
      {{/expiry}}

      """
  }

  /// The link once more, for programs that don't show the button.
  private var address: String {
    guard text.button != nil else { return "" }
    return """
      <p class="quiet rule" style="\(Self.addressNote)">\(language.phrases.address)<br>
      <a class="quiet" href="{{link}}" style="color:#5b5b60;word-break:break-all">{{link}}</a></p>

      """
  }

  private static func paragraph(_ text: String) -> String {
    "<p style=\"margin:0 0 16px;overflow-wrap:anywhere\">\(text)</p>"
  }

  private static let card = """
    max-width:536px;margin:0 auto;padding:32px 28px 20px;background:#ffffff;color:#1c1c1e;\
    border-radius:16px;font:17px/1.5 system-ui,-apple-system,'Segoe UI',Roboto,sans-serif
    """
  private static let button = """
    display:block;padding:16px 20px;border-radius:10px;background:#1d5c4f;color:#ffffff;\
    font-weight:600;text-align:center;text-decoration:none
    """
  private static let code = """
    margin:0 0 16px;padding:12px;border-radius:10px;background:#f5f5f7;text-align:center;\
    font:600 28px/1.3 ui-monospace,Menlo,Consolas,monospace;letter-spacing:6px;text-indent:6px
    """
  private static let addressNote = """
    margin:24px 0 12px;padding-top:20px;border-top:1px solid #e2e2e6;color:#5b5b60;font-size:14px
    """
  private static let footer = """
    max-width:536px;margin:16px auto 0;padding:0 28px;color:#5b5b60;\
    font:14px/1.5 system-ui,-apple-system,'Segoe UI',Roboto,sans-serif;text-align:center
    """
  private static let darkStyle = """
    :root{color-scheme:light dark;supported-color-schemes:light dark}
    @media (prefers-color-scheme:dark){.paper{background:#111113 !important}
    .card{background:#1e1e21 !important;color:#f2f2f4 !important}
    .quiet{color:#a5a5ab !important}.rule{border-color:#3a3a3f !important}
    .go{background:#7fd1bb !important;color:#0e2a24 !important}.code{background:#111113 !important}}
    """
}
