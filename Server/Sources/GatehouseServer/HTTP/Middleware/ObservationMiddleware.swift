import Foundation
import GatehouseProtocol
import HTTPTypes
import Hummingbird
import Logging

/// The outermost layer: finds the route, measures and logs the request, and sets the headers of
/// every response.
///
/// At debug level each request is logged, even if the request log is off. The entry never contains
/// path parameters, a query or a body, because these contain keys and tokens. `X-Forwarded-Host`
/// and `-Proto` are ignored; only ``TrustedProxies`` reads the header with the client's address.
struct ObservationMiddleware<Next: HTTPResponder>: HTTPResponder
where Next.Context == APIRequestContext {
  let table: RouteTable
  let metrics: RequestMetrics
  /// Its level is that of requests' loggers. The logger of the HTTP library, from which they are made, logs less.
  let logger: Logger
  let configuration: APIConfiguration
  let next: Next
  private let requests = RequestLog()

  func respond(to request: Request, context: APIRequestContext) async throws -> Response {
    var context = context
    let path = RequestPath(request.uri.path)
    let route = table.route(request.method, path)
    context.target = RequestTarget(path: path, route: route)
    context.subject = RequestSubject()
    guard let tracer = Tracer.current, route?.isTraced != false else {
      return try await observed(request, context)
    }
    let name = "\(request.method) \(route.map { "/\($0.pattern)" } ?? "unknown")"
    return try await tracer.span(
      name, .server, after: request.headers[.traceParent],
      ["http.request.method": "\(request.method)", "http.route": route?.pattern ?? "unknown"]
    ) {
      let response = try await observed(request, context)
      Span.current?.set("http.response.status_code", response.status.code)
      if response.status.kind == .serverError { Span.current?.fail("\(response.status.code)") }
      if let project = context.subject?.project {
        Span.current?.set("gatehouse.project", project.text)
      }
      return response
    }
  }

  private func observed(
    _ request: Request, _ context: APIRequestContext
  ) async throws -> Response {
    let start = ContinuousClock.now
    let route = context.target.route
    var context = context
    let logLevel = logger.logLevel
    if context.logger.logLevel != logLevel { context.logger.logLevel = logLevel }
    var response =
      route?.isStream == true
      ? try await respondInTask(to: request, context: context)
      : try await next.respond(to: request, context: context)
    if request.method == .head { response = response.createHeadResponse() }
    response.headers[.xContentTypeOptions] = "nosniff"
    if route?.isFramed != true { response.headers[.frameOptions] = "DENY" }
    // Not the context's own id, which traps if a log handler keeps no metadata.
    response.headers[.requestID] = context.logger[metadataKey: "hb.request.id"]?.description
    let duration = ContinuousClock.now - start
    let name = route?.name ?? "unknown"
    metrics.record(route: name, status: response.status.code, duration)
    if !configuration.logsRequests, logLevel <= .debug {
      context.logger.debug(
        "Request",
        metadata: [
          "method": "\(request.method)", "route": "\(name)",
          "status": "\(response.status.code)", "duration": "\(duration)",
        ])
    }
    guard configuration.logsRequests else { return response }
    guard response.headers[.contentType] == EventStream.contentType else {
      log(request, context, route: name, response, duration)
      return response
    }
    // A stream is logged as one line when it ends. The duration is the time that the client stayed.
    let (head, body, known) = (response, response.body, context)
    response.body = ResponseBody { writer in
      defer { log(request, known, route: name, head, ContinuousClock.now - start) }
      try await body.write(writer)
    }
    return response
  }

  /// A task keeps the most memory that its calls ever needed. So a task of its own handles the
  /// request, and its memory is free when it ends. The connection's task, which then writes the
  /// stream, stays small.
  private func respondInTask(
    to request: Request, context: APIRequestContext
  ) async throws -> Response {
    async let response = next.respond(to: request, context: context)
    return try await response
  }

  private func log(
    _ request: Request, _ context: APIRequestContext, route: String, _ response: Response,
    _ duration: Duration
  ) {
    let address = configuration.proxies.address(of: context.peer, request.headers)
    requests.write(
      RequestLog.Line(
        method: request.method.rawValue, route: route, status: response.status.code,
        milliseconds: duration / .milliseconds(1), request: response.headers[.requestID],
        project: context.subject?.project, uid: context.subject?.uid,
        client: configuration.clientAddresses.text(of: address)))
  }
}
