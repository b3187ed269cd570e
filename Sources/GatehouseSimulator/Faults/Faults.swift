/// What goes wrong on demand. Nothing, at the start.
struct Faults: Sendable {
  var tokens: [Provider: TokenFaults] = [:]
  private(set) var endpoints: [EndpointFault] = []

  init() {}

  init(tokens: [Provider: TokenFaults], endpoints: [EndpointFault]) {
    self.tokens = tokens
    self.endpoints = endpoints
  }

  /// Takes the place of what was set before, but for what a test set for a provider of its own.
  mutating func replace(with others: Faults) {
    let kept = tokens.filter { $0.key.isMadeByTest }
    self = others
    tokens.merge(kept) { new, _ in new }
  }

  /// What happens to a request for `path`. Counts it.
  mutating func takeFault(for path: String) -> EndpointFault? {
    guard let index = endpoints.firstIndex(where: { $0.path.isSame(as: path) }) else { return nil }
    let fault = endpoints[index]
    if let count = fault.count {
      if count > 1 { endpoints[index].count = count - 1 } else { endpoints.remove(at: index) }
    }
    return fault
  }
}
