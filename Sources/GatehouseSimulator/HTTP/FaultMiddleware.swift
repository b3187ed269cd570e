import HTTPTypes
import Hummingbird

/// Makes endpoints slow or failing, as ``EndpointFault`` says.
struct FaultMiddleware: RouterMiddleware {
  typealias Context = SimulatorContext

  let store: SimulatorStore

  func handle(
    _ request: Request, context: SimulatorContext,
    next: @concurrent (Request, SimulatorContext) async throws -> Response
  ) async throws -> Response {
    let path = request.uri.path
    guard let fault = store.withState({ $0.faults.takeFault(for: path) }) else {
      return try await next(request, context)
    }
    if let delay = fault.delayMilliseconds { try await Task.sleep(for: .milliseconds(delay)) }
    if let status = fault.status {
      throw SimulatorError(
        HTTPResponse.Status(code: status), "simulated_fault",
        "This endpoint was told to fail. DELETE /simulator/faults ends that.")
    }
    return try await next(request, context)
  }
}
