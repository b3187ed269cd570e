import GatehouseProtocol
import HTTPTypes
import Hummingbird
import Logging
import NIOCore

/// Turns errors into responses, and logs them.
struct ErrorMiddleware<Next: HTTPResponder>: HTTPResponder
where Next.Context == APIRequestContext {
  let next: Next
  private let refusals: RefusalLog

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
      countRefusal(error)
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
      if context.target.route == nil, mapped.status == .notFound, request.method == .get,
        request.headers.acceptsHTML
      {
        return Self.response(HTMLPage(.nothingHere, PageLanguage(request.headers, query: nil)))
      }
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
    return response(
      HTMLPage(.fault(fault), PageLanguage(request.headers, query: nil)), mapped.status)
  }

  private static func response(_ page: HTMLPage, _ status: HTTPResponse.Status? = nil) -> Response {
    var headers = page.headers
    headers[.contentType] = "text/html; charset=utf-8"
    return Response(
      status: status ?? page.status, headers: headers,
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

/// The log entry of a refused request. Failed sign-ins, refused administrators and exhausted
/// resources are at `info` or above, so that an operator sees them without changing a setting.
/// Other entries are at `debug`, because clients' own mistakes are frequent.
///
/// The entry of a sign-in or an administrator has the project, the method, the account if it is known, the error's
/// code, for a provider's token the reason, and the client's address only in the form that the operator chose.
struct RefusalLog: Sendable {
  let addresses: ClientAddressForm
  let proxies: TrustedProxies

  func write(
    _ error: any Error, as mapped: ErrorMapping, of context: APIRequestContext,
    _ headers: HTTPFields
  ) {
    let (route, status) = (context.target.route, mapped.status)
    if status.kind == .serverError {
      return context.logger.warning(
        "Rejected: a resource is exhausted or unavailable", metadata: ["error": "\(error)"])
    }
    var metadata: Logger.Metadata = [
      "route": "\(route?.name ?? "unknown")", "status": "\(status.code)",
    ]
    metadata["project"] = context.subject?.project.map { "\($0)" }
    metadata["uid"] = context.subject?.uid.map { "\($0)" }
    metadata["method"] = context.subject?.method.map { "\($0)" }
    // What follows the code may quote the request.
    metadata["code"] = mapped.message?.split(separator: " :").first.map { "\($0)" }
    metadata["client"] = addresses.text(of: proxies.address(of: context.peer, headers)).map {
      "\($0)"
    }
    // It contains nothing of the token. What the operator must act on has an entry of its own.
    if let error = error as? FederationError, !error.isOperatorsConcern {
      metadata["reason"] = "\(error)"
    }
    if context.target.path.isAdministrative, status == .unauthorized || status == .forbidden {
      context.logger.notice("An administrator was rejected", metadata: metadata)
    } else if route?.isSignIn == true {
      context.logger.info("A sign-in was rejected", metadata: metadata)
    }
    context.logger.debug("Rejected", metadata: ["error": "\(error)"])
  }
}
