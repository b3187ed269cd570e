import HTTPTypes
import Hummingbird

/// `GET /`: the list of endpoints, for a person who opens the port with a browser or curl.
struct IndexRoute: Sendable {
  private let store: SimulatorStore
  private let endpoints: [Endpoint]

  /// - Parameter router: Has all other endpoints. The index lists each of them.
  init(store: SimulatorStore, router: Router<SimulatorContext>) {
    self.store = store
    let described =
      Provider.kinds.flatMap(\.endpoints) + TestControl.endpoints
      + Provider.kinds.flatMap(\.controlEndpoints)
    let all = router.routes.map { route -> Endpoint in
      let (method, path) = (route.method.rawValue, route.path.description)
      // A path with several methods may have one description.
      let ofPath = described.filter { $0.path == path }
      let about = (ofPath.first { $0.method == method } ?? ofPath.first)?.about
      return Endpoint(method, path, about ?? "")
    }
    endpoints = all.sorted { ($0.path, $0.method) < ($1.path, $1.method) }
  }

  func add(to router: Router<SimulatorContext>) {
    router.get("/") { request, _ in
      request.asksForHTML
        ? try OverviewPage(store: store, endpoints: endpoints).response() : try json()
    }
  }

  private func json() throws -> Response {
    let list = endpoints.map { endpoint -> JSONValue in
      [
        "method": .string(endpoint.method), "path": .string(endpoint.path),
        "about": .string(endpoint.about),
      ]
    }
    return try .json([
      "name": "Gatehouse simulator", "baseURL": .string(store.baseURL),
      "endpoints": .array(list),
    ])
  }
}
