/// The faults that a test has configured. Empty at the start.
struct Faults: Sendable {
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
