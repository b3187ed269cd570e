import HTTPTypes
import Hummingbird
import Logging

/// The outermost layer: finds the route, measures and logs the request, and sets the headers of
/// every answer.
///
/// The access log has the route and the status, at debug level. It never has path parameters, a
/// query or a body, which contain keys and tokens. `X-Forwarded-Host` and `-Proto` are ignored;
/// only ``TrustedProxies`` reads the header with the client's address.
struct ObservationMiddleware<Next: HTTPResponder>: HTTPResponder
where Next.Context == APIRequestContext {
  let table: RouteTable
  let metrics: RequestMetrics
  /// The log level for requests. The logger of the server itself, from which a request's logger is
  /// made, logs less.
  let logLevel: Logger.Level
  let next: Next

  func respond(to request: Request, context: APIRequestContext) async throws -> Response {
    let start = ContinuousClock.now
    var context = context
    if context.logger.logLevel != logLevel { context.logger.logLevel = logLevel }
    let path = RequestPath(request.uri.path)
    let route = table.route(request.method, path)
    context.target = RequestTarget(path: path, route: route)
    var response = try await next.respond(to: request, context: context)
    if request.method == .head { response = response.createHeadResponse() }
    response.headers[.xContentTypeOptions] = "nosniff"
    if route?.isFramed != true { response.headers[.frameOptions] = "DENY" }
    // Not the context's own id, which traps if a log handler keeps no metadata.
    response.headers[.requestID] = context.logger[metadataKey: "hb.request.id"]?.description
    let duration = ContinuousClock.now - start
    let name = route?.name ?? "unknown"
    metrics.record(route: name, status: response.status.code, duration)
    if context.logger.logLevel <= .debug {
      context.logger.debug(
        "Request",
        metadata: [
          "method": "\(request.method)", "route": "\(name)",
          "status": "\(response.status.code)", "duration": "\(duration)",
        ])
    }
    return response
  }
}
