package import Hummingbird
package import HummingbirdCore
package import Logging
import NIOCore

/// Simulates several identity providers on one port: ``providerNames``.
///
/// ``application`` is a service: run it in a `ServiceGroup`, or by itself with `run()`. It stores
/// nothing on disk; a new `Simulator` knows only `Configuration.persons`.
///
/// Never expose it to a network: a request can sign in as any person, without a credential.
package struct Simulator: Sendable {
  package typealias Configuration = SimulatorConfiguration

  private let store: SimulatorStore
  private let server: HTTPServerBuilder
  private let logger: Logger
  private let onRunning: @Sendable (_ baseURL: String) async -> Void

  /// - Parameters:
  ///   - server: The HTTP server that accepts the connections.
  ///   - logger: Logs unexpected failures, at the level error. It doesn't log requests: see `GET
  ///     /simulator/requests`.
  ///   - onRunning: Called with ``baseURL`` once the port is bound.
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

  /// The names of the simulated providers, as running text.
  package static var providerNames: String { Provider.names }

  /// The port on which the simulator listens; nil before it listens.
  package var boundPort: Int? { store.boundPort }

  /// The address of the simulator, without a slash at the end: `http://127.0.0.1:9100`.
  ///
  /// If the configured port is 0 and there is no public URL, it is correct only once the port is
  /// bound.
  package var baseURL: String { store.baseURL }

  /// The server. A graceful shutdown ends after the last response.
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
