import Foundation
import Synchronization

/// The parts of a browser that a sign-in needs: it follows redirects, keeps cookies, submits forms
/// that submit themselves, and handles a fragment as the server's script does.
///
/// Cookies are stored by host and port. A form from another origin is posted without them, like
/// `SameSite=Lax` cookies across sites.
final class Browser: Sendable {
  private let cookies = Mutex<[String: [String: String]]>([:])

  /// Where the browser stops.
  enum End: Sendable {
    /// A URL of no server: the app's.
    case app(URLComponents)
    /// A page that doesn't continue by itself.
    case page(Reply)

    /// The parameters for the app in the deep link.
    var deepLink: [String: String] {
      guard case .app(let url) = self,
        let link = url.queryItems?.first(where: { $0.name == "deep_link_id" })?.value,
        let items = URLComponents(string: link)?.queryItems
      else { return [:] }
      return Dictionary(
        items.map { ($0.name, $0.value ?? "") }, uniquingKeysWith: { first, _ in first })
    }
  }

  private static let maximumSteps = 20

  /// Opens `url` and continues to an app's URL or a page.
  ///
  /// - Parameter servers: The base URLs from which the browser loads; any other URL is an app's.
  func open(_ url: String, within servers: [String]) async throws -> End {
    var next = (method: HTTP.Method.get, url: url, body: String?.none, isCrossSite: false)
    for _ in 0..<Self.maximumSteps {
      guard servers.contains(where: { next.url.hasPrefix($0 + "/") }) else {
        return .app(try URLComponents(string: next.url).orThrow("a URL: \(next.url)"))
      }
      let reply = try await load(next.method, next.url, next.body, isCrossSite: next.isCrossSite)
      if let location = reply.header("location") {
        next = (.get, Self.resolve(location, next.url), nil, false)
      } else if let form = Self.selfPostingForm(reply.text) {
        let isCrossSite = Self.origin(form.action) != Self.origin(next.url)
        next = (.post, form.action, form.body, isCrossSite)
      } else if reply.text.contains("src=\"/__/auth/handler.js\""),
        let hash = next.url.firstIndex(of: "#")
      {
        let path = next.url[..<hash].prefix { $0 != "?" }
        next = (.get, path + "?" + next.url[hash...].dropFirst(), nil, false)
      } else {
        return .page(reply)
      }
    }
    throw Unreachable(what: "the end of the redirects")
  }

  private func load(
    _ method: HTTP.Method, _ url: String, _ body: String?, isCrossSite: Bool
  ) async throws -> Reply {
    let origin = Self.origin(url)
    var headers = [("accept", "text/html,application/xhtml+xml,*/*;q=0.8")]
    let kept = isCrossSite ? [:] : cookies.withLock { $0[origin] ?? [:] }
    if !kept.isEmpty {
      headers.append(("cookie", kept.map { "\($0)=\($1)" }.joined(separator: "; ")))
    }
    if body != nil { headers.append(("content-type", "application/x-www-form-urlencoded")) }
    let reply = try await HTTP.send(
      method, String(url.prefix { $0 != "#" }), headers: headers, body: body)
    for cookie in reply.headers["set-cookie"] {
      let pair = cookie.prefix { $0 != ";" }.split(separator: "=", maxSplits: 1)
      guard let name = pair.first else { continue }
      cookies.withLock {
        $0[origin, default: [:]][String(name)] =
          cookie.contains("Max-Age=0") ? nil : pair.count > 1 ? String(pair[1]) : ""
      }
    }
    return reply
  }

  private static func origin(_ url: String) -> String {
    url.split(separator: "/", omittingEmptySubsequences: false).prefix(3).joined(separator: "/")
  }

  private static func resolve(_ location: String, _ url: String) -> String {
    location.hasPrefix("/") ? origin(url) + location : location
  }

  static func selfPostingForm(_ html: String) -> (action: String, body: String)? {
    guard let form = html.firstMatch(of: /<form method="post" action="([^"]*)">/),
      html.contains("submit()")
    else { return nil }
    let fields = html.matches(of: /<input type="hidden" name="([^"]*)" value="([^"]*)">/)
    let body = fields.map { "\(Form.escape(plain($0.1)))=\(Form.escape(plain($0.2)))" }
    return (plain(form.1), body.joined(separator: "&"))
  }

  private static func plain(_ text: Substring) -> String {
    String(text).replacing("&quot;", with: "\"").replacing("&#39;", with: "'")
      .replacing("&lt;", with: "<").replacing("&gt;", with: ">").replacing("&amp;", with: "&")
  }
}

struct Unreachable: Error {
  let what: String
}

extension Optional {
  fileprivate func orThrow(_ what: String) throws -> Wrapped {
    guard let self else { throw Unreachable(what: what) }
    return self
  }
}
