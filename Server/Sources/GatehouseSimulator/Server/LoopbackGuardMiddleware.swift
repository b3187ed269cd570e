import HTTPTypes
import Hummingbird
import NIOCore

/// Prevents web pages from using a simulator on the machine that shows them.
///
/// A web page can send requests here in two ways: under its own `Host`, by DNS rebinding, or across
/// origins. So the `Host` must be an address, to which no name leads, a loopback name or an allowed one, and
/// endpoints for tests and for the simulator's own pages reject the `Origin` of another site. A simulator to which
/// other machines can connect also accepts the host of its public URL. Programs on those machines can use it, but not
/// make it call this machine.
struct LoopbackGuardMiddleware: RouterMiddleware {
  typealias Context = SimulatorContext

  let store: SimulatorStore

  func handle(
    _ request: Request, context: SimulatorContext,
    next: @concurrent (Request, SimulatorContext) async throws -> Response
  ) async throws -> Response {
    try checkHost(request)
    try checkOrigin(request)
    return try await NotificationURL.$mayBeOnThisMachine.withValue(context.isFromThisMachine) {
      try await next(request, context)
    }
  }

  private func checkHost(_ request: Request) throws(SimulatorError) {
    let host = Loopback.host(ofAuthority: request.head.authority ?? "").foldingASCII()
    guard isThisSite(host) || Self.isAddress(host) else {
      throw SimulatorError(
        .misdirectedRequest, "host_not_allowed",
        "The Host must be this machine (127.0.0.1, localhost) or an allowed host.")
    }
  }

  private func checkOrigin(_ request: Request) throws(SimulatorError) {
    guard Self.isForThisSiteOnly(request.uri.path), let origin = request.headers[.origin] else {
      return
    }
    let authority = origin.split(separator: "/", maxSplits: 2).last.map(String.init) ?? ""
    let host = Loopback.host(ofAuthority: authority).foldingASCII()
    let own = Loopback.host(ofAuthority: request.head.authority ?? "").foldingASCII()
    guard isThisSite(host) || host.isSame(as: own) else {
      throw SimulatorError(
        .forbidden, "origin_not_allowed", "Pages of other sites must not call this endpoint.")
    }
  }

  private static func isAddress(_ host: String) -> Bool {
    (try? SocketAddress(ipAddress: String(host.drop { $0 == "[" }.prefix { $0 != "]" }), port: 0))
      != nil
  }

  /// - Parameter host: In lower case.
  private func isThisSite(_ host: String) -> Bool {
    Loopback.isLoopback(host: host)
      || store.configuration.publicHost.map { host.isSame(as: $0) } == true
      || store.configuration.allowedHosts.contains { $0.foldingASCII().isSame(as: host) }
  }

  /// The router ignores empty segments: `//simulator/reset` is `/simulator/reset`.
  private static func isForThisSiteOnly(_ path: String) -> Bool {
    let segments = path.split(separator: "/")
    return segments.first == "simulator" || segments.last == "native-sign-in"
      || segments.last == "sheet"
  }
}
