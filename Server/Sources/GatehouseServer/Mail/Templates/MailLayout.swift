/// Creates a template from sentences, with one layout for all mails.
///
/// The HTML loads no font, and no picture but a project's logo: without one, the sender can't learn when
/// it is read. It has no table. Styles are inline, because mail programs remove other ones. A block of
/// styles only adds the dark colours, for programs that read it.
struct MailLayout {
  let language: BuiltInLanguage
  let text: MailText
  var branding = BrandingPolicy()

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
    let links = legalLinks.map { "\n\($0.name): \($0.url)" }.joined()
    blocks += [text.otherwise, "-- \n\(phrases.footer)\(links)"]
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
    <style>\(darkStyle)</style>
    </head>
    <body class="paper" style="margin:0;padding:0;background:#f5f5f7">
    <div style="display:none;max-height:0;overflow:hidden">\(text.paragraphs[0])</div>
    <div class="paper" style="background:#f5f5f7;padding:24px 12px">
    <div class="card" style="\(Self.card)">
    <p class="quiet" style="margin:0 0 20px;color:#5b5b60;font-size:15px;font-weight:600">\(logo){{appName}}</p>
    <h1 style="margin:0 0 16px;font-size:22px;line-height:1.3;font-weight:700">\(text.heading)</h1>
    \(Self.paragraph(language.phrases.greeting))
    \(text.paragraphs.map(Self.paragraph).joined(separator: "\n"))
    \(action)\(Self.paragraph(text.otherwise))
    \(address)</div>
    <p class="quiet" style="\(Self.footer)">\(language.phrases.footer)\(legal)</p>
    </div>
    </body>
    </html>

    """
  }

  /// The URLs are values of the template, because only values are escaped.
  private var legalLinks: [(name: String, url: String)] {
    let names = (PageLanguage(rawValue: language.tag.text) ?? .english).legalNames
    return [
      (names.terms, "{{termsURL}}", branding.termsURL),
      (names.privacy, "{{privacyURL}}", branding.privacyURL),
    ].filter { !$0.2.isEmpty }.map { ($0.0, $0.1) }
  }

  private var legal: String {
    let links = legalLinks.map {
      "<a class=\"quiet\" href=\"\($0.url)\" style=\"color:#5b5b60\">\($0.name)</a>"
    }
    return links.isEmpty ? "" : "<br>\n" + links.joined(separator: " · ")
  }

  /// Its height is an attribute too, because Outlook ignores that of the style.
  private var logo: String {
    branding.logoURL.isEmpty
      ? "" : "<img src=\"{{logoURL}}\" alt=\"\" height=\"40\" style=\"\(Self.logoStyle)\">"
  }

  private var action: String {
    guard let button = text.button else { return "" }
    return """
      <p style="margin:24px 0"><a class="go" href="{{link}}" style="\(buttonStyle)">\(button)</a></p>
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

  private var buttonStyle: String {
    let accent = branding.accent
    let border = accent?.needsBorder == true ? ";border:1px solid #76767c" : ""
    return """
      display:block;padding:16px 20px;border-radius:10px;background:\(accent?.button ?? "#1d5c4f");\
      color:\(accent?.onButton ?? "#ffffff");font-weight:600;text-align:center;text-decoration:none\(border)
      """
  }

  private var darkStyle: String {
    let (button, onButton) =
      branding.accent.map { ($0.darkButton, $0.onDarkButton) } ?? ("#7fd1bb", "#0e2a24")
    return """
      :root{color-scheme:light dark;supported-color-schemes:light dark}
      @media (prefers-color-scheme:dark){.paper{background:#111113 !important}
      .card{background:#1e1e21 !important;color:#f2f2f4 !important}
      .quiet{color:#a5a5ab !important}.rule{border-color:#3a3a3f !important}
      .go{background:\(button) !important;color:\(onButton) !important}.code{background:#111113 !important}}
      """
  }

  private static func paragraph(_ text: String) -> String {
    "<p style=\"margin:0 0 16px;overflow-wrap:anywhere\">\(text)</p>"
  }

  private static let card = """
    max-width:536px;margin:0 auto;padding:32px 28px 20px;background:#ffffff;color:#1c1c1e;\
    border-radius:16px;font:17px/1.5 system-ui,-apple-system,'Segoe UI',Roboto,sans-serif
    """
  private static let logoStyle = """
    display:block;height:40px;width:auto;max-width:100%;margin:0 0 12px;border:0;object-fit:contain;\
    object-position:left
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
}
