import GatehouseWire

/// `/livez`: the process answers. `/readyz`: the server can work, because the store answers.
struct Health: Endpoint {
  let services: APIServices

  var routes: [Route] {
    [.open("livez", "livez", live), .open("readyz", "readyz", ready)]
  }

  func live(_ call: Call) -> Answer { Answer(json: Array(#"{"status":"ok"}"#.utf8)) }

  /// - Throws: The store's error, which becomes a 5xx.
  func ready(_ call: Call) async throws -> Answer {
    try await services.checkStore()
    return Answer(json: Array(#"{"status":"ok"}"#.utf8))
  }
}
