import Foundation
import HTTPTypes
import Hummingbird

/// The endpoints with which a test manages its own providers: `/simulator/issuers`.
struct IssuerControl: Sendable {
  let store: SimulatorStore
  let kind: OpenIDConnectProvider

  func add(to group: RouterGroup<SimulatorContext>) {
    group.get("issuers") { _, _ in try listIssuers() }
    group.put("issuers/{name}") { request, context in try await putIssuer(request, context) }
    group.delete("issuers/{name}") { _, context in try deleteIssuer(context) }
  }

  /// `GET /simulator/issuers`.
  func listIssuers() throws -> Response {
    let baseURL = store.baseURL
    let issuers = store.withState { $0.madeByTests }.map { $0.issuer(baseURL: baseURL) }.sorted()
    return try .json(["issuers": .strings(issuers)])
  }

  /// `PUT /simulator/issuers/{name}`: creates a provider for a test, with the faults in the body.
  /// 201 for a new provider; 200 for an existing one, whose faults are replaced.
  func putIssuer(_ request: Request, _ context: SimulatorContext) async throws -> Response {
    guard let issuer = Provider(kind, named: try context.parameters.require("name")) else {
      throw SimulatorError.invalidRequest(
        "An issuer's name must be 1 to 64 of a-z 0-9 . _ - and begin with a letter.")
    }
    let faults: TokenFaults = try await JSONDecoder.body(
      of: request, limit: store.configuration.limits.bodyBytes)
    let isNew = try store.withState { state throws(SimulatorError) in
      try state.putIssuer(issuer, faults)
    }
    return try .json(
      ["issuer": .string(issuer.issuer(baseURL: store.baseURL))], status: isNew ? .created : .ok)
  }

  /// `DELETE /simulator/issuers/{name}`.
  func deleteIssuer(_ context: SimulatorContext) throws -> Response {
    let name = try context.parameters.require("name")
    try store.withState { state throws(SimulatorError) in
      try state.removeIssuer(try state.issuer(named: name))
    }
    return try .json([:])
  }
}
