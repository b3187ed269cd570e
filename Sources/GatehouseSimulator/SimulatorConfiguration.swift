package import Foundation

extension Simulator {
  /// What a simulator is started with.
  package struct Configuration: Sendable {
    /// The address that is listened on. Anything but a loopback address lets everyone who reaches it
    /// make tokens.
    package var host = "127.0.0.1"

    /// The port that is listened on; 0 takes a free one.
    package var port = 9100

    /// Where clients reach the simulator, if not at `http://<host>:<port>`. No slash at the end.
    package var publicURL: String?

    /// Names besides the loopback ones that a request's `Host` may have, without a port. Only looked
    /// at when ``host`` is a loopback address: otherwise every `Host` is taken.
    package var allowedHosts: [String] = []

    /// Who exists at the start, and after a reset. The first signs in when nobody is named.
    package var persons: [Person] = [.alice, .bob]

    /// Whether browsers that name nobody are asked, until `PUT /simulator/sheets` says otherwise.
    package var dialogMode = DialogMode.ask

    package var limits = Limits()

    /// The time. Every lifetime is measured by it.
    package var now: @Sendable () -> Date = { Date() }

    /// Makes a provider's signing key, when one is first needed and at each rotation. Tests that start
    /// many simulators save time here.
    package var makeSigningKey: @Sendable () throws -> SigningKey = { try SigningKey() }

    package init() {}
  }

  /// Bounds on what is kept in memory. When codes, tokens or consents are full, the oldest goes.
  package struct Limits: Sendable {
    package var persons = 10_000
    package var consents = 50_000
    package var codes = 10_000
    package var tokens = 50_000
    /// Registered clients, and registered keys of Apple teams: each.
    package var clients = 1_000
    /// Apple's notifications that are kept, to be seen or sent again.
    package var notifications = 200
    /// Providers that tests make for themselves.
    package var issuers = 200
    /// Pages that wait for a click; the oldest goes when there are more.
    package var dialogs = 1_000
    /// The length of a request's body, in bytes.
    package var bodyBytes = 65_536

    package init() {}
  }
}
