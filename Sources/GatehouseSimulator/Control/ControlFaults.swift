import Foundation
import Hummingbird

/// What `PUT /simulator/faults` takes: all faults there are to be. Absent is none.
struct FaultsBody: RequestBodyMembers {
  static let members: Set<String> = ["apple", "google", "facebook", "oidc", "endpoints"]
  static var objects: [String: any RequestBodyMembers.Type] {
    [
      "apple": TokenFaults.self, "google": TokenFaults.self, "facebook": TokenFaults.self,
      "oidc": TokenFaults.self, "endpoints": EndpointFault.self,
    ]
  }
  private static let maximumEndpoints = 100

  var apple: TokenFaults?
  var google: TokenFaults?
  var facebook: TokenFaults?
  var oidc: TokenFaults?
  var endpoints: [EndpointFault]?

  /// - Throws: `invalid_request`.
  func faults() throws(SimulatorError) -> Faults {
    let endpoints = endpoints ?? []
    guard endpoints.count <= Self.maximumEndpoints else {
      throw .invalidRequest("\"endpoints\" may have \(Self.maximumEndpoints).")
    }
    for endpoint in endpoints { try endpoint.validate() }
    var tokens: [Provider: TokenFaults] = [:]
    tokens[.apple] = apple
    tokens[.google] = google
    tokens[.facebook] = facebook
    tokens[.oidc] = oidc
    return Faults(tokens: tokens, endpoints: endpoints)
  }
}

/// What `GET /simulator/faults` answers.
struct FaultsAnswer: Encodable {
  let apple: TokenFaults?
  let google: TokenFaults?
  let facebook: TokenFaults?
  let oidc: TokenFaults?
  let endpoints: [EndpointFault]

  init(_ faults: Faults) {
    apple = faults.tokens[.apple]
    google = faults.tokens[.google]
    facebook = faults.tokens[.facebook]
    oidc = faults.tokens[.oidc]
    endpoints = faults.endpoints
  }
}

extension ControlRoutes {
  /// `GET /simulator/faults`: what is still to go wrong.
  func showFaults() throws -> Response {
    try .encoded(FaultsAnswer(store.withState { $0.faults }))
  }

  /// `PUT /simulator/faults`: these, and no others.
  func putFaults(_ request: Request) async throws -> Response {
    let body: FaultsBody = try await JSONDecoder.body(of: request, limit: bodyLimit)
    let faults = try body.faults()
    store.withState { $0.faults.replace(with: faults) }
    return try .encoded(FaultsAnswer(faults))
  }

  /// `DELETE /simulator/faults`.
  func deleteFaults() throws -> Response {
    store.withState { $0.faults.replace(with: Faults()) }
    return try .json([:])
  }
}
