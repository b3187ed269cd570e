import Foundation
import GatehouseProtocol
import HTTPTypes
import Logging

/// The administrators' API without a network: for a program that has the database open, so that it calls the same
/// handlers as a server does.
///
/// The caller is the operator, who may do everything. The event log names whoever `EventOrigin.current` names.
package struct LocalAdministration: Sendable {
  private let services: APIServices
  private let configuration: APIConfiguration
  private let table: RouteTable

  /// - Throws: ``DuplicateRoute``.
  package init(
    _ services: APIServices, _ configuration: APIConfiguration
  ) throws(DuplicateRoute) {
    self.services = services
    self.configuration = configuration
    table = try RouteTable(Routes.all(services, configuration))
  }

  /// Answers a request as a server would.
  ///
  /// - Parameters:
  ///   - method: `GET`, `POST`, …
  ///   - target: The path and the query, percent-encoded: `/v2/projects?pageSize=10`.
  ///   - body: JSON; empty for none.
  /// - Returns: The status, and the body of the response.
  package func respond(
    to method: String, _ target: String, body: [UInt8]
  ) async -> (status: Int, body: [UInt8]) {
    do {
      let answer = try await answer(method, target, body)
      var bytes = answer.body
      if let stream = answer.stream {
        while let piece = await stream.next() { bytes += piece }
      }
      return (answer.status.code, bytes)
    } catch {
      var error = error
      // The operator is told what else only the server's log says.
      if let fault = error as? StoreError,
        ErrorMapping(fault, envelope: .identityToolkit).status.code >= 500
      {
        error = APIError.unavailable("\(fault)")
      }
      let mapping = ErrorMapping(error, envelope: .identityToolkit)
      if mapping.isUnexpected { services.logger.error("\(method) \(target): \(error)") }
      return (mapping.status.code, Answer(mapping.body).body)
    }
  }

  private func answer(
    _ method: String, _ target: String, _ body: [UInt8]
  ) async throws -> Answer {
    let parts = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    let path = RequestPath(parts.first.map { String($0) } ?? "")
    guard let method = HTTPRequest.Method(method), let route = table.route(method, path) else {
      throw APIError.notFound
    }
    let caller = Administrator(name: "command", role: .owner, of: nil)
    var call = Call(
      project: nil, administrator: caller, client: .unknown, apiKey: nil, language: nil,
      path: path, query: FormFields(parts.count > 1 ? String(parts[1]) : ""),
      fields: WireFields(try Self.object(body, route)), form: nil,
      bytes: route.takesRawBody ? body : [], now: services.clock(), logger: services.logger,
      head: HTTPRequest(method: method, scheme: nil, authority: nil, path: target))
    switch route.access {
    case .server: break
    case .administrator:
      guard let id = path.project.flatMap({ ProjectID($0) }),
        let project = try await services.projects.projectForAdministrator(id)
      else { throw APIError.notFound(.projectNotFound) }
      call = call.with(project: project)
    case .anyone, .client, .user, .clientOrAssertion, .development, .developer, .console:
      throw APIError.notFound
    }
    return try await route.handle(call)
  }

  private static func object(_ body: [UInt8], _ route: Route) throws(APIError) -> JSONObject {
    guard !body.isEmpty, !route.takesRawBody else { return JSONObject() }
    var limits = JSONLimits.standard
    limits.bytes = max(limits.bytes, route.bodyBytes ?? 0)
    do {
      return try JSONObject(parsing: body, limits: limits)
    } catch {
      throw .invalidArgument("Invalid JSON payload received. \(error)")
    }
  }
}
