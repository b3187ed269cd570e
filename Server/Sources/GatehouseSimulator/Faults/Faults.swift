/// The faults that a test has configured. Empty at the start.
struct Faults: Sendable {
  static let maximumEndpoints = 100

  var tokens: [Provider: TokenFaults] = [:]
  private(set) var endpoints: [EndpointFault] = []

  init() {}

  init(tokens: [Provider: TokenFaults], endpoints: [EndpointFault]) {
    self.tokens = tokens
    self.endpoints = endpoints
  }

  /// Replaces the previous faults, except those of a provider that a test created.
  mutating func replace(with others: Faults) {
    let kept = tokens.filter { $0.key.isMadeByTest }
    self = others
    tokens.merge(kept) { new, _ in new }
  }

  /// Adds a fault. It replaces those of the same endpoint.
  ///
  /// - Throws: `invalid_request`.
  mutating func put(_ fault: EndpointFault) throws(SimulatorError) {
    try fault.validate()
    end(path: fault.path)
    guard endpoints.count < Self.maximumEndpoints else {
      throw .invalidRequest("At most \(Self.maximumEndpoints) endpoints may have faults.")
    }
    endpoints.append(fault)
  }

  mutating func end(path: String) { endpoints.removeAll { $0.path.isSame(as: path) } }

  /// Returns the fault for a request to `path`, and counts the request.
  mutating func takeFault(for path: String) -> EndpointFault? {
    guard let index = endpoints.firstIndex(where: { $0.path.isSame(as: path) }) else { return nil }
    let fault = endpoints[index]
    if let count = fault.count {
      if count > 1 { endpoints[index].count = count - 1 } else { endpoints.remove(at: index) }
    }
    return fault
  }
}
