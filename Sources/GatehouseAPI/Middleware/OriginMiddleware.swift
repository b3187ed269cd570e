import GatehouseModel
import HTTPTypes
import Hummingbird

/// What pages of other origins may do (the CORS protocol of the Fetch standard §3.2).
///
/// Clients' endpoints may be called from every origin: they go by tokens in the request, never by
/// cookies. Administrators' and the emulator's paths grant nothing, and neither does anything grant
/// `Authorization`; in `--dev`, where the administrator's token is no secret, they refuse a request
/// that a page outside this machine caused at all.
struct OriginMiddleware<Next: HTTPResponder>: HTTPResponder
where Next.Context == APIRequestContext {
  let configuration: APIConfiguration
  let next: Next

  /// A browser may remember a preflight's answer for so long. Seconds.
  private static var preflightSeconds: Int { 3600 }

  func respond(to request: Request, context: APIRequestContext) async throws -> Response {
    // Longer than any browser's: it is judged as no page of this machine, not passed over.
    guard let origin = request.headers[.origin].map({ $0.utf8.count <= 512 ? $0 : "null" }) else {
      if request.method == .options { return Response(status: .noContent) }
      return try await next.respond(to: request, context: context)
    }
    let isForBrowsers = context.target.route?.isForBrowsers ?? !context.target.path.isAdministrative
    let isAdministrators = !isForBrowsers || request.headers.contains(.authorization)
    if configuration.development != nil, isAdministrators,
      !LoopbackName.isLoopback(origin: origin)
    {
      let refusal = APIError.permissionDenied(
        "A web page can't administer a development server.")
      return ErrorMapping(refusal, envelope: .identityToolkit).response
    }
    if request.method == .options { return preflight(request, origin, grants: isForBrowsers) }
    var response = try await next.respond(to: request, context: context)
    let isPage = if case .page? = context.target.route?.envelope { true } else { false }
    if !isAdministrators, !isPage {
      response.headers[.accessControlAllowOrigin] = origin
    }
    response.headers[.vary] = "Origin"
    return response
  }

  private func preflight(_ request: Request, _ origin: String, grants: Bool) -> Response {
    var response = Response(status: .noContent, headers: [.vary: "Origin"])
    guard grants else { return response }
    response.headers[.accessControlAllowOrigin] = origin
    response.headers[.accessControlAllowMethods] = "GET, POST, OPTIONS"
    response.headers[.accessControlMaxAge] = String(Self.preflightSeconds)
    if let requested = request.headers[.accessControlRequestHeaders],
      requested.utf8.count <= 2048
    {
      let granted = requested.split(separator: ",").map { $0.filter { $0 != " " } }
        .filter { $0.lowercased() != "authorization" }
      response.headers[.accessControlAllowHeaders] = granted.joined(separator: ", ")
    }
    return response
  }
}
