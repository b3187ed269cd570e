package import Foundation

/// The settings with which a simulator starts.
package struct SimulatorConfiguration: Sendable {
  /// The address on which the simulator listens. With an address that isn't a loopback address,
  /// every host that can reach it can get tokens.
  package var host = "127.0.0.1"

  /// The port on which the simulator listens; 0 selects a free one.
  package var port = 9100

  /// The address at which clients reach the simulator, if it isn't `http://<host>:<port>`. No
  /// slash at the end.
  package var publicURL: String?

  /// Host names without a port that the `Host` of a request may have besides the loopback names.
  package var allowedHosts: [String] = []

  /// The persons that exist at the start and after a reset. The first one signs in if a request
  /// names none.
  package var persons: [Person] = [.alice, .bob]

  /// Whether a browser that names no person gets pages, until `PUT /simulator/sheets` changes it.
  package var dialogMode = DialogMode.ask

  package var limits = SimulatorLimits()

  /// Returns the current time. All lifetimes are measured with it.
  package var now: @Sendable () -> Date = { Date() }

  /// Creates a signing key when a provider first needs one, and at each rotation. Tests that
  /// start many simulators can save time here.
  package var makeSigningKey: @Sendable () throws -> SigningKey = { try SigningKey() }

  package init() {}

  /// The host of ``publicURL``, in lower case.
  var publicHost: String? {
    publicURL.flatMap { URL(string: $0)?.host }?.foldingASCII()
  }

  /// Whether ``host`` is a loopback address, which only this machine can reach.
  package var listensOnLoopback: Bool { Loopback.isLoopback(host: host) }
}

/// Limits on what is kept in memory. A new code, token or consent over the limit removes the
/// oldest.
package struct SimulatorLimits: Sendable {
  package var persons = 10_000
  package var consents = 50_000
  package var codes = 10_000
  package var tokens = 50_000
  /// The limit for registered clients, and a separate one for the registered keys of Apple teams.
  package var clients = 1_000
  /// Notifications of each provider that are kept to be listed or sent again.
  package var notifications = 200
  /// Providers that tests create.
  package var issuers = 200
  /// Pages that wait for a click. A new page over the limit removes the oldest.
  package var dialogs = 1_000
  /// The size of a request's body, in bytes.
  package var bodyBytes = 65_536

  package init() {}
}
