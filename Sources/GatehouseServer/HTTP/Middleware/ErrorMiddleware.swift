import GatehouseWire
import HTTPTypes
import Hummingbird
import Logging
import NIOCore

/// Turns errors into responses, and logs them.
struct ErrorMiddleware<Next: HTTPResponder>: HTTPResponder
where Next.Context == APIRequestContext {
  let next: Next
  private let refusals: RefusalLog
  private let rateLimits = RateLimitMetrics()

  init(configuration: APIConfiguration, next: Next) {
    self.next = next
    refusals = RefusalLog(
      addresses: configuration.clientAddresses, proxies: configuration.proxies)
  }

  func respond(to request: Request, context: APIRequestContext) async throws -> Response {
    do {
      return try await next.respond(to: request, context: context)
    } catch {
      let envelope = context.target.route?.envelope ?? .identityToolkit
      rateLimits.count(error)
      let mapped = ErrorMapping(error, envelope: envelope)
      if mapped.isUnexpected {
        context.logger.error(
          "Unexpected error",
          metadata: [
            "route": "\(context.target.route?.name ?? "unknown")",
            "type": "\(type(of: error))", "error": "\(error)",
          ])
      } else {
        refusals.write(error, as: mapped, of: context, request.headers)
      }
      if case .page = envelope { return Self.page(mapped, request, context) }
      let isForApps = context.target.route?.isForApps == true
      return (isForApps ? mapped.forApps : mapped).response
    }
  }
}

extension ErrorMiddleware {
  /// The page that a user sees if the request couldn't be processed.
  private static func page(
    _ mapped: ErrorMapping, _ request: Request, _ context: APIRequestContext
  ) -> Response {
    let isServers = mapped.status.kind == .serverError
    let fault = HandlerFault(
      kind: isServers ? .server : .link,
      detail: isServers
        ? "See the server's log." : mapped.message ?? "The request can't be read.")
    let page = HTMLPage(.fault(fault), PageLanguage(request.headers, query: nil))
    var headers = page.headers
    headers[.contentType] = "text/html; charset=utf-8"
    return Response(
      status: mapped.status, headers: headers,
      body: ResponseBody(byteBuffer: ByteBuffer(string: page.html)))
  }
}

extension ErrorMapping {
  var response: Response {
    var headers: HTTPFields = [
      .contentType: "application/json; charset=utf-8",
      .cacheControl: "no-cache, no-store, max-age=0, must-revalidate",
    ]
    headers[.retryAfter] = retryAfterSeconds.map { String($0) }
    return Response(
      status: status, headers: headers,
      body: ResponseBody(byteBuffer: ByteBuffer(bytes: body.json())))
  }
}
