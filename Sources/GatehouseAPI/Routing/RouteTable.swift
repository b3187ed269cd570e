import HTTPTypes

/// Finds a request's route with one hash lookup by method and path.
///
/// A custom table and not a trie with parameters: Google's paths have verbs after a colon
/// (`accounts:signUp`, `{project}:createSessionCookie`), and the endpoints that have to be fast
/// have no parameters.
struct RouteTable: Sendable {
  private let routes: [String: Route]
  /// Routes by pattern only, for browsers' preflight requests.
  private let byPattern: [String: Route]

  init(_ routes: [Route]) {
    self.routes = Dictionary(
      routes.map { (Self.key($0.method, $0.pattern), $0) }, uniquingKeysWith: { first, _ in first })
    byPattern = Dictionary(
      routes.map { ($0.pattern, $0) },
      uniquingKeysWith: { first, second in first.isForBrowsers ? first : second })
  }

  /// The patterns are ASCII, and the path has to be, too: a dictionary treats canonically
  /// equivalent strings as equal.
  func route(_ method: HTTPRequest.Method, _ path: RequestPath) -> Route? {
    guard path.pattern.utf8.allSatisfy({ $0 < 0x80 }) else { return nil }
    if method == .options { return byPattern[path.pattern] }
    return routes[Self.key(method == .head ? .get : method, path.pattern)]
  }

  private static func key(_ method: HTTPRequest.Method, _ pattern: String) -> String {
    "\(method.rawValue) \(pattern)"
  }
}
