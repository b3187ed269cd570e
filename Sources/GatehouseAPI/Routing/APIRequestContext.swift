package import GatehouseModel
package import Hummingbird

/// What a request carries through the middleware.
package struct APIRequestContext: RequestContext {
  package var coreContext: CoreRequestContextStorage
  /// Where the request goes: set by ``ObservationMiddleware``, before anybody looks.
  var target = RequestTarget(path: RequestPath(""), route: nil)

  /// The other end of the connection; nil if it has no address.
  package var peer: IPAddress?

  package init(source: ApplicationRequestContextSource) {
    peer = source.channel.remoteAddress?.address
    coreContext = CoreRequestContextStorage(source: source)
  }
}

/// A request's path and the route it matches, if any.
struct RequestTarget: Sendable {
  let path: RequestPath
  let route: Route?
}
