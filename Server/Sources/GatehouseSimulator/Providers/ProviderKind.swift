import Hummingbird

/// A kind of identity provider, with its differences from the standards.
///
/// It has three parts: ``GrantRules`` for codes and tokens, ``DialogRules`` for the pages,
/// ``TestControlRules`` for what a test can configure and read. Standard OAuth 2.0 and OpenID
/// Connect behaviour is the default, so a kind defines only its differences.
protocol ProviderKind: GrantRules, DialogRules, TestControlRules {
  /// The folder of its paths, and its name in requests.
  var id: String { get }

  /// The name for use in a sentence.
  var displayName: String { get }

  /// Whether tests can create more providers of this kind: `<id>/<name>`.
  var canBeMadeByTests: Bool { get }

  /// The descriptions of its endpoints, for the index. The index lists an endpoint without a
  /// description, too.
  var endpoints: [Endpoint] { get }

  func addRoutes(_ store: SimulatorStore, to router: Router<SimulatorContext>)

  /// The path under which a request is counted.
  ///
  /// - Parameter route: The router's pattern, so that the number of different values is limited.
  func countedPath(
    _ route: String, _ context: SimulatorContext, _ state: SimulatorState
  ) -> String
}

extension ProviderKind {
  var canBeMadeByTests: Bool { false }

  func countedPath(
    _ route: String, _ context: SimulatorContext, _ state: SimulatorState
  ) -> String { route }
}

/// A line in the index. Its path is the router's pattern: `/oidc/{issuer}/token`.
struct Endpoint: Sendable {
  let method: String
  let path: String
  let about: String

  init(_ method: String, _ path: String, _ about: String) {
    self.method = method
    self.path = path
    self.about = about
  }
}
