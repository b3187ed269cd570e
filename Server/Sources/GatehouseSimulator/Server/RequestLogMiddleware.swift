import Hummingbird

/// Records every request to a provider in the ``RequestLog``.
struct RequestLogMiddleware: RouterMiddleware {
  typealias Context = SimulatorContext

  let store: SimulatorStore

  func handle(
    _ request: Request, context: SimulatorContext,
    next: @concurrent (Request, SimulatorContext) async throws -> Response
  ) async throws -> Response {
    let response = try await next(request, context)
    if let route = context.endpointPath,
      let provider = Provider.builtIn.first(where: { route.hasPrefix("/\($0.rawValue)/") })
    {
      store.withState { state in
        state.requests.record(
          RequestLog.Entry(
            method: request.method.rawValue,
            path: provider.kind.countedPath(route, context, state), status: response.status.code,
            time: store.now))
      }
    }
    return response
  }
}
