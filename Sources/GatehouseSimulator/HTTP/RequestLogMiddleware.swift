import Hummingbird

/// Notes every request to a provider in the ``RequestLog``.
struct RequestLogMiddleware: RouterMiddleware {
  typealias Context = SimulatorContext

  let store: SimulatorStore

  func handle(
    _ request: Request, context: SimulatorContext,
    next: @concurrent (Request, SimulatorContext) async throws -> Response
  ) async throws -> Response {
    let response = try await next(request, context)
    if let route = route(context),
      Provider.builtIn.contains(where: { route.hasPrefix("/\($0.rawValue)/") })
    {
      store.withState { state in
        state.requests.record(
          RequestLog.Entry(
            method: request.method.rawValue, path: route, status: response.status.code,
            time: store.now))
      }
    }
    return response
  }

  /// The endpoint's path. Of an issuer that is there, with its name: there are only so many.
  private func route(_ context: SimulatorContext) -> String? {
    guard let path = context.endpointPath, let name = context.parameters.get("issuer"),
      let issuer = Provider(issuer: name), store.withState({ $0.issuers.contains(issuer) })
    else { return context.endpointPath }
    return path.replacing("{issuer}", with: name)
  }
}
