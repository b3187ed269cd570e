import HTTPTypes
import Hummingbird
import NIOCore

/// Makes endpoints slow, or makes them fail or return other content: see ``EndpointFault``.
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
    guard fault.replacesAnswer else { return try await next(request, context) }
    let status = HTTPResponse.Status(code: fault.answerStatus)
    guard fault.location != nil || fault.body != nil || fault.padding != nil else {
      throw SimulatorError(
        status, "simulated_fault",
        "A configured fault made this endpoint fail. DELETE /simulator/faults removes it.")
    }
    return answer(fault, status)
  }

  private func answer(_ fault: EndpointFault, _ status: HTTPResponse.Status) -> Response {
    var headers: HTTPFields = [
      .contentType: fault.contentType ?? "application/json", .cacheControl: "no-store",
    ]
    headers[.location] = fault.location
    var body = ByteBuffer(repeating: UInt8(ascii: " "), count: fault.padding ?? 0)
    body.writeString(fault.body ?? "{}")
    return Response(status: status, headers: headers, body: ResponseBody(byteBuffer: body))
  }
}
