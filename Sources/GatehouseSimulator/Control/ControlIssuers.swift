import HTTPTypes
import Hummingbird
import Foundation

extension ControlRoutes {
  /// `GET /simulator/issuers`.
  func listIssuers() throws -> Response {
    let baseURL = store.baseURL
    let issuers = store.withState { $0.issuers }.map { $0.issuer(baseURL: baseURL) }.sorted()
    return try .json(["issuers": .strings(issuers)])
  }

  /// `PUT /simulator/issuers/{name}`: a provider of a test's own, with the faults that are the body;
  /// 201 for a new one, 200 for one whose faults are others from now on.
  func putIssuer(_ request: Request, _ context: SimulatorContext) async throws -> Response {
    guard let issuer = Provider(issuer: try context.parameters.require("name")) else {
      throw SimulatorError.invalidRequest(
        "An issuer's name is 1 to 64 of a-z 0-9 . _ - and begins with a letter.")
    }
    let faults: TokenFaults = try await JSONDecoder.body(of: request, limit: bodyLimit)
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
