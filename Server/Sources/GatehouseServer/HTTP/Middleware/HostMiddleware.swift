import Foundation
import GatehouseProtocol
import HTTPTypes
import Hummingbird

/// Refuses a request with several `Host` fields (RFC 9112 §3.2): a proxy and this server might follow
/// different ones. In `--dev`, refuses every request whose `Host` could be the name of somebody else's page.
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
    if let development = configuration.development, !isAllowed(request, development) {
      let refusal = APIError.permissionDenied(
        "This server accepts addresses and names of this machine as Host; add others with dev.allowedHosts."
      )
      return ErrorMapping(refusal, envelope: .identityToolkit).response
    }
    return try await next.respond(to: request, context: context)
  }

  private func isAllowed(
    _ request: Request, _ development: APIConfiguration.Development
  ) -> Bool {
    guard let host = request.head.authority.flatMap({ LoopbackName.host(ofAuthority: $0) }) else {
      return false
    }
    let name = host.lowercased()
    return LoopbackName.isLoopback(name) || Self.isAddress(name)
      || development.allowedHosts.containsBytes(of: name)
      || URL(string: configuration.publicURL)?.host?.lowercased().hasSameBytes(as: name) == true
  }

  /// No name leads to the server then, so none can be made to: `10.0.2.2`, as the Android emulator calls the
  /// machine that it runs on.
  private static func isAddress(_ host: String) -> Bool {
    IPAddress(host.hasPrefix("[") ? String(host.dropFirst().dropLast()) : host) != nil
  }
}

private let hostField = HTTPField.Name("Host")
