import GatehouseProtocol

/// `/livez`: the process answers. `/readyz`: the server should get requests.
struct Health: Endpoint {
  let services: APIServices

  var routes: [Route] {
    [.open("livez", "livez", live), .open("readyz", "readyz", ready)]
  }

  func live(_ call: Call) -> Answer { Answer(json: Array(#"{"status":"ok"}"#.utf8)) }

  /// - Throws: The reason, which becomes a 503.
  func ready(_ call: Call) async throws -> Answer {
    try await services.checkReadiness()
    return Answer(json: Array(#"{"status":"ok"}"#.utf8))
  }
}
