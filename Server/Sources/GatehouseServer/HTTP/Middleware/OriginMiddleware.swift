import GatehouseProtocol
import HTTPTypes
import Hummingbird

/// What pages of other origins may do (the CORS protocol of the Fetch standard §3.2).
///
/// In production, clients' endpoints may be called from every origin: they use tokens in the
/// request, never cookies. Administrators' paths allow no other origin, and no page may send
/// `Authorization`.
///
/// In `--dev` the administrator's token is no secret, and pages of this machine may call
/// everything: test suites that run in a browser clear accounts between their tests. So may pages of the host
/// that the request names, which ``HostMiddleware`` has checked. A request from any other page is refused if it has `Authorization`, or is for a path of the administrator or
/// the emulator.
struct OriginMiddleware<Next: HTTPResponder>: HTTPResponder
where Next.Context == APIRequestContext {
  let configuration: APIConfiguration
  let next: Next

  /// How long a browser may cache the response to a preflight request. Seconds.
  private static var preflightSeconds: Int { 3600 }

  func respond(to request: Request, context: APIRequestContext) async throws -> Response {
    // No browser sends an `Origin` of this length. It is treated as a foreign origin, not as if it
    // were absent.
    guard let origin = request.headers[.origin].map({ $0.utf8.count <= 512 ? $0 : "null" }) else {
      if request.method == .options { return Response(status: .noContent) }
      return try await next.respond(to: request, context: context)
    }
    let isForBrowsers = context.target.route?.isForBrowsers ?? !context.target.path.isAdministrative
    let isAdministrators = !isForBrowsers || request.headers.contains(.authorization)
    let isDevelopment = configuration.development != nil
    let isOwnPage = isDevelopment && Self.isOwn(origin, request)
    if isDevelopment, isAdministrators, !isOwnPage {
      let refusal = APIError.permissionDenied(
        "A web page can't administer a development server.")
      return ErrorMapping(refusal, envelope: .identityToolkit).response
    }
    if request.method == .options {
      return preflight(request, origin, grants: isForBrowsers || isOwnPage, isOwnPage: isOwnPage)
    }
    var response = try await next.respond(to: request, context: context)
    let isPage = if case .page? = context.target.route?.envelope { true } else { false }
    if !isAdministrators || isOwnPage, !isPage {
      response.headers[.accessControlAllowOrigin] = origin
    }
    response.headers[.vary] = "Origin"
    return response
  }

  private static func isOwn(_ origin: String, _ request: Request) -> Bool {
    if LoopbackName.isLoopback(origin: origin) { return true }
    guard let host = request.head.authority.flatMap({ LoopbackName.host(ofAuthority: $0) }),
      let authority = origin.firstRange(of: "://").map({ origin[$0.upperBound...] })
    else { return false }
    return LoopbackName.host(ofAuthority: authority)?.hasSameBytes(as: host) == true
  }

  private func preflight(
    _ request: Request, _ origin: String, grants: Bool, isOwnPage: Bool
  ) -> Response {
    var response = Response(status: .noContent, headers: [.vary: "Origin"])
    guard grants else { return response }
    response.headers[.accessControlAllowOrigin] = origin
    response.headers[.accessControlAllowMethods] =
      isOwnPage ? "GET, POST, PATCH, DELETE, OPTIONS" : "GET, POST, OPTIONS"
    response.headers[.accessControlMaxAge] = String(Self.preflightSeconds)
    // A page on the internet, such as an app behind a tunnel, may call the development server of its
    // user's machine (Private Network Access). It may do no more than CORS allows it here.
    if configuration.development != nil, request.headers[.requestPrivateNetwork] == "true" {
      response.headers[.allowPrivateNetwork] = "true"
    }
    if let requested = request.headers[.accessControlRequestHeaders],
      requested.utf8.count <= 2048
    {
      let granted = requested.split(separator: ",").map { $0.filter { $0 != " " } }
        .filter { isOwnPage || $0.lowercased() != "authorization" }
      // The list has no spaces: browsers write it so, and Google's emulator returns it so.
      response.headers[.accessControlAllowHeaders] = granted.joined(separator: ",")
    }
    return response
  }
}

extension HTTPField.Name {
  fileprivate static let requestPrivateNetwork =
    HTTPField.Name("access-control-request-private-network") ?? .accessControlRequestMethod
  fileprivate static let allowPrivateNetwork =
    HTTPField.Name("access-control-allow-private-network") ?? .vary
}
