package import Hummingbird

/// What a request carries through the middleware.
package struct APIRequestContext: RequestContext {
  package var coreContext: CoreRequestContextStorage
  /// Where the request goes: set by ``ObservationMiddleware``, before anybody looks.
  var target = RequestTarget(path: RequestPath(""), route: nil)

  package init(source: ApplicationRequestContextSource) {
    coreContext = CoreRequestContextStorage(source: source)
  }
}

/// A request's path and the route it matches, if any.
struct RequestTarget: Sendable {
  let path: RequestPath
  let route: Route?
}
