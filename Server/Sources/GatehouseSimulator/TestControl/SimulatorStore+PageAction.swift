import HTTPTypes
import Hummingbird

extension SimulatorStore {
  /// Runs the action of a form on the overview (`/simulator/page/…`), then redirects to the page.
  ///
  /// - Parameter section: The id of the form's section, which the browser shows again.
  func act(
    _ request: Request, section: String? = nil, _ change: (RequestForm) async throws -> Void
  ) async throws -> Response {
    let overview = "/" + (section.map { "#\($0)" } ?? "")
    do {
      try await change(
        try await RequestForm.body(request, limit: configuration.limits.bodyBytes))
      return Response(status: .seeOther, headers: [.location: overview])
    } catch let error as SimulatorError where request.asksForHTML {
      let body =
        "<p class=\"problem\" role=\"alert\">\(HTML.escape(error.message))</p>"
        + "<p><a class=\"button\" href=\"\(overview)\">Back</a></p>"
      return HTML(title: "That did not work", status: error.status, body: body).response()
    }
  }
}
