import HTTPTypes

/// Finds a request's route: one hash of its method and path.
///
/// A table of our own rather than a trie with parameters: Google's paths have verbs behind a colon
/// (`accounts:signUp`, `{project}:createSessionCookie`), and the endpoints that matter for speed have
/// no parameters at all.
struct RouteTable: Sendable {
  private let routes: [String: Route]
  /// The patterns, for the preflights of browsers, which ask before they call.
  private let byPattern: [String: Route]

  init(_ routes: [Route]) {
    self.routes = Dictionary(
      routes.map { (Self.key($0.method, $0.pattern), $0) }, uniquingKeysWith: { first, _ in first })
    byPattern = Dictionary(
      routes.map { ($0.pattern, $0) },
      uniquingKeysWith: { first, second in first.isForBrowsers ? first : second })
  }

  /// The patterns are ASCII, and so must the path be: a dictionary compares strings canonically.
  func route(_ method: HTTPRequest.Method, _ path: RequestPath) -> Route? {
    guard path.pattern.utf8.allSatisfy({ $0 < 0x80 }) else { return nil }
    if method == .options { return byPattern[path.pattern] }
    return routes[Self.key(method == .head ? .get : method, path.pattern)]
  }

  private static func key(_ method: HTTPRequest.Method, _ pattern: String) -> String {
    "\(method.rawValue) \(pattern)"
  }
}
