package import Hummingbird
package import HummingbirdCore
package import Logging
import NIOCore

/// Stand-ins for identity providers, on one port: ``providerNames``.
///
/// ``application`` is a service: run it in a `ServiceGroup`, or by itself with `run()`. Nothing is
/// kept on disk; a new `Simulator` knows only ``Configuration/persons``.
///
/// Never expose it: it signs in whoever is named, without asking for anything.
package struct Simulator: Sendable {
  private let store: SimulatorStore
  private let server: HTTPServerBuilder
  private let logger: Logger
  private let onRunning: @Sendable (_ baseURL: String) async -> Void

  /// - Parameters:
  ///   - server: How connections are served.
  ///   - logger: Gets unexpected failures at error. Requests aren't logged: see
  ///     `GET /simulator/requests`.
  ///   - onRunning: Called once the port is bound, with the value of ``baseURL``.
  package init(
    configuration: Configuration = Configuration(), server: HTTPServerBuilder = .http1(),
    logger: Logger = Logger(label: "gatehouse.simulator"),
    onRunning: @escaping @Sendable (_ baseURL: String) async -> Void = { _ in }
  ) {
    self.store = SimulatorStore(configuration: configuration)
    self.server = server
    self.logger = logger
    self.onRunning = onRunning
  }

  /// The providers that there are, in running text.
  package static var providerNames: String {
    let names = Provider.kinds.map(\.displayName)
    return names.dropLast().joined(separator: ", ") + " and " + (names.last ?? "")
  }

  /// The port that is listened on, or nil as long as none is.
  package var boundPort: Int? { store.boundPort }

  /// Where the simulator is reached, without a slash at the end: `http://127.0.0.1:9100`.
  ///
  /// With a configured port of 0, and no public URL, it is right only once the port is bound.
  package var baseURL: String { store.baseURL }

  /// The server. Its graceful shutdown ends with the last answer.
  package var application: some ApplicationProtocol {
    Application(
      router: SimulatorRouter(store: store, logger: logger).router(),
      server: server,
      configuration: ApplicationConfiguration(
        address: .hostname(store.configuration.host, port: store.configuration.port)),
      onServerRunning: { [store, onRunning] channel in
        store.didBind(port: channel.localAddress?.port)
        await onRunning(store.baseURL)
      },
      logger: logger
    )
  }
}
