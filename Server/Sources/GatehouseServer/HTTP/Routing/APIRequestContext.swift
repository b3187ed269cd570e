package import GatehouseProtocol
package import Hummingbird
import NIOCore

/// The data that the middleware attaches to a request.
package struct APIRequestContext: RequestContext {
  package var coreContext: CoreRequestContextStorage
  /// The target of the request, set by ``ObservationMiddleware`` before it is read.
  var target = RequestTarget(path: RequestPath(""), route: nil)

  /// Set by ``ObservationMiddleware``.
  var subject: RequestSubject?

  /// The other end of the connection; nil if it has no address.
  package var peer: IPAddress?

  /// Completes when the connection closes; nil without a connection.
  let closed: EventLoopFuture<Void>?

  package init(source: ApplicationRequestContextSource) {
    peer = source.channel.remoteAddress?.address
    closed = source.channel.closeFuture
    coreContext = CoreRequestContextStorage(source: source)
  }
}

/// A request's path and the route it matches, if any.
struct RequestTarget: Sendable {
  let path: RequestPath
  let route: Route?
}
