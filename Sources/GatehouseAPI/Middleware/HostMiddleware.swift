import GatehouseModel
import HTTPTypes
import Hummingbird

/// In `--dev`, refuses every request whose `Host` isn't loopback's or allowed.
///
/// A page of the open web can make its own name resolve to 127.0.0.1 and would then be of the same
/// origin as this server (DNS rebinding). It can't choose what the browser sends as `Host`.
struct HostMiddleware<Next: HTTPResponder>: HTTPResponder
where Next.Context == APIRequestContext {
  let configuration: APIConfiguration
  let next: Next

  func respond(to request: Request, context: APIRequestContext) async throws -> Response {
    if let development = configuration.development, !Self.isAllowed(request, development) {
      let refusal = APIError.permissionDenied(
        "This server answers to loopback's names alone; dev.allowedHosts adds others.")
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
