/// The HTML of the pages that users see during a sign-in.
extension HTMLPage {
  /// - Parameters:
  ///   - prefix: The path of the public URL. The script is below it.
  ///   - project: Nil if it isn't known yet.
  init(
    _ content: PageContent, _ language: PageLanguage, below prefix: String = "",
    of project: Project? = nil, links: [PageLink] = []
  ) {
    let text = content.text(in: language)
    var parts = PageParts(head: Self.refresh(content))
    if let script = content.script {
      parts.script = "\n<script src=\"\(prefix + script.path)\" defer></script>"
    }
    if let data = content.data {
      // A data block runs no script, so the content security policy doesn't apply to it (HTML
      // Standard §4.12.1).
      parts.end =
        "\n<script type=\"application/json\" id=\"data\">\(HTML(verbatim: data))</script>"
    }
    let main: HTML = """
      <section id="text">
      <h1>\(text.title)</h1>
      <p>\(text.body)</p>\(Self.appLink(content, language))\(Self.detail(content, language))\(Self.list(links))
      </section>\(Self.failure(content, language))
      """
    self.init(
      content.status, language, title: text.title, main: main, parts: parts,
      abilities: content.script == nil ? [] : .script, brand: PageBrand(project))
  }

  private static func list(_ links: [PageLink]) -> HTML? {
    guard !links.isEmpty else { return nil }
    let items = links.map { "<li><a href=\"\($0.url)\">\($0.name)</a></li>" as HTML }
    return "\n<ul>\(items)</ul>"
  }

  private static func failure(_ content: PageContent, _ language: PageLanguage) -> HTML? {
    content.failure(in: language).map {
      """

      <section id="failure" role="alert" hidden>
      <h1>\($0.title)</h1>
      <p>\($0.body)</p>
      </section>
      """
    }
  }

  private static func detail(_ content: PageContent, _ language: PageLanguage) -> HTML? {
    content.detail.map {
      """

      <details><summary>\(operators(language))</summary><p lang="en">\(marked($0))</p></details>
      """
    }
  }

  /// Opens the app without a script. The URL was checked when the sign-in began.
  private static func refresh(_ content: PageContent) -> HTML {
    guard content.opensByItself, let link = content.appLink else { return .nothing }
    return "<meta http-equiv=\"refresh\" content=\"0;url=\(link)\">\n"
  }

  private static func appLink(_ content: PageContent, _ language: PageLanguage) -> HTML {
    guard let link = content.appLink else { return .nothing }
    let label =
      switch language {
      case .english: "Open the app"
      case .german: "App öffnen"
      case .vietnamese: "Mở ứng dụng"
      }
    return "\n<p><a class=\"go\" id=\"open-app\" href=\"\(link)\">\(label)</a></p>"
  }

  private static func operators(_ language: PageLanguage) -> String {
    switch language {
    case .english: "For the operator of the app"
    case .german: "Für die Betreiber der App"
    case .vietnamese: "Dành cho người vận hành ứng dụng"
    }
  }

  /// Text between backticks is shown as code.
  private static func marked(_ text: String) -> [HTML] {
    text.split(separator: "`", omittingEmptySubsequences: false).enumerated().map {
      let piece = String($0.element)
      return $0.offset % 2 == 0 ? "\(piece)" : "<code>\(piece)</code>"
    }
  }
}
