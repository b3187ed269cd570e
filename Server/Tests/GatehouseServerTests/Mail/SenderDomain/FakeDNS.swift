import GatehouseServer

/// Answers from a table.
struct FakeDNS: DNSResolver {
  var texts: [String: [String]] = [:]
  var exchangers: [String: [String]] = [:]
  var silent: Set<String> = []

  func texts(of name: String) async throws(DNSFault) -> [String] {
    if silent.contains(name) { throw .noAnswer }
    return texts[name] ?? []
  }

  func mailExchangers(of name: String) async throws(DNSFault) -> [String] {
    if silent.contains(name) { throw .noAnswer }
    return exchangers[name] ?? []
  }
}
