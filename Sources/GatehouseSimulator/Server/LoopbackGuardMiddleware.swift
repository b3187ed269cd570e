import HTTPTypes
import Hummingbird

/// Keeps web pages from using a simulator on the machine they are shown on.
///
/// A page of some site can send requests here: with a `Host` of its own by rebinding its name, or
/// across origins. So the `Host` must be a loopback name or an allowed one, and calls that only
/// tests and the simulator's own pages make refuse another site's `Origin`. A simulator that listens
/// beyond this machine has no such guard: it is open to all who reach it.
struct LoopbackGuardMiddleware: RouterMiddleware {
  typealias Context = SimulatorContext

  let store: SimulatorStore

  func handle(
    _ request: Request, context: SimulatorContext,
    next: @concurrent (Request, SimulatorContext) async throws -> Response
  ) async throws -> Response {
    if store.listensOnLoopback {
      try checkHost(request)
      try checkOrigin(request)
    }
    return try await next(request, context)
  }

  private func checkHost(_ request: Request) throws(SimulatorError) {
    let host = Loopback.host(ofAuthority: request.head.authority ?? "").foldingASCII()
    guard isThisSite(host) else {
      throw SimulatorError(
        .misdirectedRequest, "host_not_allowed",
        "Requests must name this machine (127.0.0.1, localhost) or an allowed host.")
    }
  }

  private func checkOrigin(_ request: Request) throws(SimulatorError) {
    guard Self.isForThisSiteOnly(request.uri.path), let origin = request.headers[.origin] else {
      return
    }
    let authority = origin.split(separator: "/", maxSplits: 2).last.map(String.init) ?? ""
    guard isThisSite(Loopback.host(ofAuthority: authority).foldingASCII()) else {
      throw SimulatorError(
        .forbidden, "origin_not_allowed", "A page of another site may not call this.")
    }
  }

  /// - Parameter host: In lower case.
  private func isThisSite(_ host: String) -> Bool {
    Loopback.isLoopback(host: host)
      || store.configuration.allowedHosts.contains { $0.foldingASCII().isSame(as: host) }
  }

  /// The router passes over empty segments: `//simulator/reset` is `/simulator/reset`.
  private static func isForThisSiteOnly(_ path: String) -> Bool {
    let segments = path.split(separator: "/")
    return segments.first == "simulator" || segments.last == "native-sign-in"
      || segments.last == "sheet"
  }
}
