import Hummingbird

/// A kind of identity provider: what it does otherwise than the standards, or in its own way.
///
/// The parts are where they are used: ``GrantRules`` for codes and tokens, ``DialogRules`` for what a
/// person is asked, ``TestControlRules`` for what a test says and sees. Everything that is standard
/// OAuth 2.0 and OpenID Connect has a default, so a kind writes down only what is its own.
protocol ProviderKind: GrantRules, DialogRules, TestControlRules {
  /// The folder of its paths, and its name where a call names a provider.
  var id: String { get }

  /// The name in running text.
  var displayName: String { get }

  /// Whether tests can make more of the kind: `<id>/<name>`.
  var canBeMadeByTests: Bool { get }

  /// What answers at its paths, for the index.
  var endpoints: [Endpoint] { get }

  func addRoutes(_ store: SimulatorStore, to router: Router<SimulatorContext>)

  /// The path under which a request is counted.
  ///
  /// - Parameter route: As the router knows it, so that there are only so many.
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

/// A line of the index.
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
