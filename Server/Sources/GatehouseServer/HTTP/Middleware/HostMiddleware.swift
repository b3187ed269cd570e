import GatehouseProtocol
import HTTPTypes
import Hummingbird

/// Refuses a request with several `Host` fields (RFC 9112 §3.2): a proxy and this server might follow
/// different ones. In `--dev`, refuses every request whose `Host` isn't a loopback name or an allowed one.
///
/// A page on the internet can make its own name resolve to 127.0.0.1, and would then have the same
/// origin as this server (DNS rebinding). But it can't choose the `Host` that the browser sends.
struct HostMiddleware<Next: HTTPResponder>: HTTPResponder
where Next.Context == APIRequestContext {
  let configuration: APIConfiguration
  let next: Next

  func respond(to request: Request, context: APIRequestContext) async throws -> Response {
    // The first field is the authority.
    if let hostField, request.headers.contains(hostField) {
      let refusal = APIError.invalidArgument("The request has more than one Host.")
      return ErrorMapping(refusal, envelope: .identityToolkit).response
    }
    if let development = configuration.development, !Self.isAllowed(request, development) {
      let refusal = APIError.permissionDenied(
        "This server accepts only loopback host names; add others with dev.allowedHosts.")
      return ErrorMapping(refusal, envelope: .identityToolkit).response
    }
    return try await next.respond(to: request, context: context)
  }

  private static func isAllowed(
    _ request: Request, _ development: APIConfiguration.Development
  ) -> Bool {
    guard let host = request.head.authority.flatMap({ LoopbackName.host(ofAuthority: $0) }) else {
      return false
    }
    return LoopbackName.isLoopback(host)
      || development.allowedHosts.containsBytes(of: host.lowercased())
  }
}

private let hostField = HTTPField.Name("Host")
