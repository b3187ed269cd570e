import HTTPTypes
import Hummingbird

/// `GET /`: the list of endpoints, for a person who opens the port with a browser or curl.
struct IndexRoute: Sendable {
  let store: SimulatorStore

  func add(to router: Router<SimulatorContext>) {
    router.get("/") { request, _ in
      request.headers[.accept]?.contains("text/html") == true
        ? try OverviewPage(store: store, endpoints: Self.endpoints).response() : try json()
    }
  }

  private static let endpoints =
    Provider.kinds.flatMap(\.endpoints) + TestControl.endpoints
    + Provider.kinds.flatMap(\.controlEndpoints)

  private func json() throws -> Response {
    let endpoints = Self.endpoints.map { endpoint -> JSONValue in
      [
        "method": .string(endpoint.method), "path": .string(endpoint.path),
        "about": .string(endpoint.about),
      ]
    }
    return try .json([
      "name": "Gatehouse simulator", "baseURL": .string(store.baseURL),
      "endpoints": .array(endpoints),
    ])
  }
}
