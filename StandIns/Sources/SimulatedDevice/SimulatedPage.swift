import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// What a browser without a display reads of a page: its first form and its links.
struct Page {
  let text: String

  init(_ text: String) { self.text = text }

  /// A link that returns to the app, on a page that offers one.
  func returnLink(_ isCallback: (URL) -> Bool) -> URL? {
    tags("a").lazy.compactMap { Self.attribute("href", of: $0) }.compactMap(URL.init(string:))
      .first(where: isCallback)
  }

  /// The request of the page's first form, with its present values.
  func form(at page: URL) -> URLRequest? {
    guard let start = text.range(of: "<form", options: .caseInsensitive),
      let end = text.range(
        of: "</form>", options: .caseInsensitive, range: start.upperBound..<text.endIndex)
    else { return nil }
    let form = Page(String(text[start.lowerBound..<end.lowerBound]))
    guard let head = form.tags("form").first,
      let action = URL(string: Self.attribute("action", of: head) ?? "", relativeTo: page)
    else { return nil }
    let fields = form.tags("input").compactMap { input -> String? in
      guard let name = Self.attribute("name", of: input) else { return nil }
      let value = Self.attribute("value", of: input) ?? ""
      return "\(SimulatorCall.escape(name))=\(SimulatorCall.escape(value))"
    }
    var request = URLRequest(url: action.absoluteURL, timeoutInterval: 60)
    guard Self.attribute("method", of: head)?.lowercased() == "post" else {
      var parts = URLComponents(url: action.absoluteURL, resolvingAgainstBaseURL: false)
      parts?.percentEncodedQuery = fields.joined(separator: "&")
      return parts?.url.map { URLRequest(url: $0, timeoutInterval: 60) }
    }
    request.httpMethod = "POST"
    request.httpBody = Data(fields.joined(separator: "&").utf8)
    request.setValue("application/x-www-form-urlencoded", forHTTPHeaderField: "content-type")
    // A form is posted with the origin of its page.
    if let scheme = page.scheme, let host = page.host {
      let port = page.port.map { ":\($0)" } ?? ""
      request.setValue("\(scheme)://\(host)\(port)", forHTTPHeaderField: "origin")
    }
    return request
  }

  private func tags(_ name: String) -> [Substring] {
    var found: [Substring] = []
    var rest = text[...]
    while let start = rest.range(of: "<\(name)", options: .caseInsensitive),
      let end = rest[start.upperBound...].firstIndex(of: ">")
    {
      let tag = rest[start.upperBound..<end]
      if tag.first?.isWhitespace ?? false { found.append(tag) }
      rest = rest[end...]
    }
    return found
  }

  private static func attribute(_ name: String, of tag: Substring) -> String? {
    guard let start = tag.range(of: " \(name)=\"", options: .caseInsensitive),
      let end = tag[start.upperBound...].firstIndex(of: "\"")
    else { return nil }
    return unescaped(String(tag[start.upperBound..<end]))
  }

  private static func unescaped(_ text: String) -> String {
    guard text.contains("&") else { return text }
    return ["&quot;": "\"", "&#34;": "\"", "&#39;": "'", "&lt;": "<", "&gt;": ">"]
      .reduce(text) { $0.replacingOccurrences(of: $1.key, with: $1.value) }
      .replacingOccurrences(of: "&amp;", with: "&")
  }
}
