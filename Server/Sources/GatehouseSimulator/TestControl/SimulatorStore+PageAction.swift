import HTTPTypes
import Hummingbird

extension SimulatorStore {
  /// Runs the action of a button on the overview (`/simulator/page/…`), then redirects to the page.
  func act(
    _ request: Request, _ change: (RequestForm) async throws -> Void
  ) async throws -> Response {
    try await change(
      try await RequestForm.body(request, limit: configuration.limits.bodyBytes))
    return Response(status: .seeOther, headers: [.location: "/"])
  }
}
