import HTTPTypes
import Hummingbird
import Logging

/// Converts to responses the errors that no provider has converted to its own form.
struct ErrorAnswerMiddleware: RouterMiddleware {
  typealias Context = SimulatorContext

  let logger: Logger

  func handle(
    _ request: Request, context: SimulatorContext,
    next: @concurrent (Request, SimulatorContext) async throws -> Response
  ) async throws -> Response {
    do {
      return try await next(request, context)
    } catch let error as SimulatorError {
      return try .error(error)
    } catch let error as any HTTPResponseError where error.status == .notFound {
      return try .error(
        SimulatorError(
          .notFound, "not_found", "Endpoint not found. GET / lists all endpoints."))
    } catch let error as any HTTPResponseError {
      return try .error(
        SimulatorError(error.status, "invalid_request", "The request is malformed."))
    } catch {
      logger.error(
        "A request failed unexpectedly",
        metadata: ["path": "\(request.uri.path)", "error": "\(error)"])
      return try .error(
        SimulatorError(
          .internalServerError, "server_error", "The simulator failed. Its log says why."))
    }
  }
}
