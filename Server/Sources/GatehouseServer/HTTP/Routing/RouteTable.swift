import HTTPTypes

/// Finds a request's route with one hash lookup by method and path.
///
/// Not Hummingbird's router, although it has patterns for Google's verbs (`{project}:createSessionCookie`).
/// It finds a route after the middleware has run, and ours needs the route before: for the log, the limits of
/// the body, pages' own errors, and because only an administrator may learn whether some paths exist. The
/// prefixes that ``RequestPath`` removes would have to be removed for it too.
struct RouteTable: Sendable {
  private let routes: [String: Route]
  /// Routes by pattern only, for browsers' preflight requests.
  private let byPattern: [String: Route]

  /// - Throws: ``DuplicateRoute``.
  init(_ routes: [Route]) throws(DuplicateRoute) {
    var table: [String: Route] = [:]
    for route in routes {
      let key = Self.key(route.method, route.pattern)
      if let first = table.updateValue(route, forKey: key) {
        throw DuplicateRoute(path: key, names: [first.name, route.name])
      }
    }
    self.routes = table
    byPattern = Dictionary(
      routes.map { ($0.pattern, $0) },
      uniquingKeysWith: { first, second in first.isForBrowsers ? first : second })
  }

  /// Returns nil for a path that isn't ASCII. All patterns are ASCII, and a dictionary treats
  /// canonically equivalent strings as equal.
  func route(_ method: HTTPRequest.Method, _ path: RequestPath) -> Route? {
    guard path.pattern.utf8.allSatisfy({ $0 < 0x80 }) else { return nil }
    if method == .options { return byPattern[path.pattern] }
    return routes[Self.key(method == .head ? .get : method, path.pattern)]
  }

  private static func key(_ method: HTTPRequest.Method, _ pattern: String) -> String {
    "\(method.rawValue) \(pattern)"
  }
}

/// Two endpoints declare the same method of the same path. Only one of them could answer.
package struct DuplicateRoute: Error, Hashable, CustomStringConvertible {
  /// The method and the pattern.
  let path: String
  /// The names of the two routes in metrics.
  let names: [String]

  package var description: String {
    "\(path) is declared by two endpoints: \(names.joined(separator: " and "))."
  }
}
