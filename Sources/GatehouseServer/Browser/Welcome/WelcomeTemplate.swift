/// Fills in `index.html`: `{{name}}` is a text in the page's language, `{{@language}}` the language
/// tag, `{{@data}}` the data for the scripts.
enum WelcomeTemplate {
  static func html(_ language: PageLanguage, _ texts: WelcomeTexts, data: [UInt8]) -> [UInt8] {
    let template = String(decoding: PackageResources.index_html, as: UTF8.self)
    var html: [UInt8] = []
    html.reserveCapacity(template.utf8.count + data.count)
    for (index, part) in template.split(separator: "{{", omittingEmptySubsequences: false)
      .enumerated()
    {
      guard index > 0, let end = part.firstRange(of: "}}") else {
        html += Array(part.utf8)
        continue
      }
      switch part[..<end.lowerBound] {
      case "@language": html += Array(language.rawValue.utf8)
      case "@data": html += Array(DataBlock.text(String(decoding: data, as: UTF8.self)).utf8)
      case let name: html += Array(HTML.escaped(texts[String(name)]).utf8)
      }
      html += Array(part[end.upperBound...].utf8)
    }
    return html
  }
}
