package import Hummingbird
import Logging

/// The API as a responder for an HTTP server.
package struct GatehouseAPI: Sendable {
  private let services: APIServices
  private let configuration: APIConfiguration
  private let table: RouteTable

  /// - Throws: ``DuplicateRoute``.
  package init(
    _ services: APIServices, _ configuration: APIConfiguration
  ) throws(DuplicateRoute) {
    self.services = services
    self.configuration = configuration
    table = try RouteTable(Routes.all(services, configuration))
  }

  /// The middleware around the dispatcher, from the outside to the inside.
  package var responder: some HTTPResponder<APIRequestContext> {
    ObservationMiddleware(
      table: table, metrics: RequestMetrics(), logger: services.logger,
      configuration: configuration,
      next: HostMiddleware(
        configuration: configuration,
        next: OriginMiddleware(
          configuration: configuration,
          next: ErrorMiddleware(
            configuration: configuration,
            next: Dispatcher(services: services, configuration: configuration)))))
  }
}
