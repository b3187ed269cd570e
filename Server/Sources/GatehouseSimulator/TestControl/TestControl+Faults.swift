import Foundation
import Hummingbird

/// The body of `PUT /simulator/faults`: all faults of the endpoints and of the built-in providers'
/// tokens. An absent member means no faults. The faults of a provider's tokens are a member with the
/// provider's name.
struct FaultsBody: RequestBodyMembers {
  private static let endpointsName = "endpoints"

  static var members: Set<String> { Set(objects.keys) }
  static var objects: [String: any RequestBodyMembers.Type] {
    var objects: [String: any RequestBodyMembers.Type] = [endpointsName: EndpointFault.self]
    for provider in Provider.builtIn { objects[provider.rawValue] = TokenFaults.self }
    return objects
  }

  private var tokens: [Provider: TokenFaults] = [:]
  private let endpoints: [EndpointFault]

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: MemberName.self)
    for provider in Provider.builtIn {
      tokens[provider] = try container.decodeIfPresent(
        TokenFaults.self, forKey: MemberName(provider.rawValue))
    }
    endpoints =
      try container.decodeIfPresent([EndpointFault].self, forKey: MemberName(Self.endpointsName))
      ?? []
  }

  /// - Throws: `invalid_request`.
  func faults() throws(SimulatorError) -> Faults {
    guard endpoints.count <= Faults.maximumEndpoints else {
      throw .invalidRequest("\"endpoints\" may have at most \(Faults.maximumEndpoints).")
    }
    for endpoint in endpoints { try endpoint.validate() }
    return Faults(tokens: tokens, endpoints: endpoints)
  }
}

/// The response of `GET /simulator/faults`.
struct FaultsAnswer: Encodable {
  private let faults: Faults

  init(_ faults: Faults) { self.faults = faults }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: MemberName.self)
    for provider in Provider.builtIn {
      try container.encodeIfPresent(
        faults.tokens[provider], forKey: MemberName(provider.rawValue))
    }
    try container.encode(faults.endpoints, forKey: MemberName("endpoints"))
  }
}

extension TestControl {
  /// `GET /simulator/faults`: the faults that remain.
  func showFaults() throws -> Response {
    try .encoded(FaultsAnswer(store.withState { $0.faults }))
  }

  /// `PUT /simulator/faults`: replaces all faults, except those of providers that tests created.
  func putFaults(_ request: Request) async throws -> Response {
    let body: FaultsBody = try await JSONDecoder.body(of: request, limit: bodyLimit)
    let faults = try body.faults()
    store.withState { $0.faults.replace(with: faults) }
    return try .encoded(FaultsAnswer(faults))
  }

  /// `DELETE /simulator/faults`: ends all faults, except those of providers that tests created.
  func deleteFaults() throws -> Response {
    store.withState { $0.faults.replace(with: Faults()) }
    return try .json([:])
  }
}
