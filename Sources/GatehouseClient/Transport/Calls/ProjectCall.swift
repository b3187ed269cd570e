import GatehouseProtocol

/// `projects`: the domains that the project authorizes.
struct ProjectCall: ServerCall {
  var path: String { "v1/projects" }
  var method: TransportRequest.Method { .get }
  var isRepeatable: Bool { true }

  /// Not sent: a GET has no body.
  var request: EmptyResponse { EmptyResponse() }

  func answer(_ response: ProjectResponse) throws(WireError) -> [String] {
    response.authorizedDomains
  }
}
