import GatehouseServer
import TestStores
import Testing

/// Servers that accept connections and don't answer, or aren't the primary any more.
@Suite struct PostgresOutageTests {
  private func open(_ url: String, connections: Int) throws -> PostgresStore {
    var address = try address(url, connections: connections)
    address.waitSeconds = 2
    return try PostgresStore.open(address, sealing: PlainSealer())
  }

  /// Repeats an operation until it succeeds. Each one waits by itself.
  private func eventually<Value>(_ body: () async throws -> Value) async throws -> Value {
    let end = ContinuousClock.now + .seconds(120)
    while true {
      do {
        return try await body()
      } catch {
        guard ContinuousClock.now < end else { throw error }
      }
    }
  }

  /// - Returns: The errors of operations that run while a server is frozen. If one waits for more than a
  ///   minute, the server goes on, so that it succeeds.
  private func errors(
    of cluster: FailoverCluster, frozen server: FailoverCluster.Server, count: Int,
    _ operation: @escaping @Sendable (Int) async throws -> Void
  ) async throws -> [StoreError?] {
    try await cluster.freeze(server)
    let errors = try await withThrowingTaskGroup(of: [StoreError?].self) { group in
      for number in 0..<count {
        group.addTask {
          do {
            try await operation(number)
            return [nil]
          } catch {
            return [error as? StoreError]
          }
        }
      }
      group.addTask {
        do {
          try await Task.sleep(for: .seconds(60))
        } catch {
          return []
        }
        try await cluster.thaw(server)
        return []
      }
      var errors: [StoreError?] = []
      while errors.count < count, let more = try await group.next() { errors += more }
      group.cancelAll()
      return errors
    }
    try await cluster.thaw(server)
    return errors
  }

  @Test func `operations are refused while the server doesn't answer, and work when it does again`()
    async throws
  {
    let cluster = try await FailoverCluster.start(hasStandby: false)
    defer { cluster.end() }
    let store = try open(cluster.url, connections: 2)
    try await store.write { try $0.setServerValue("a", to: [1]) }
    // More than there are connections: the others wait in the queue.
    let errors = try await errors(of: cluster, frozen: .primary, count: 8) { number in
      if number.isMultiple(of: 2) {
        _ = try await store.changeCounter()
      } else {
        try await store.write { try $0.setServerValue("a", to: [2]) }
      }
    }
    #expect(errors.count == 8)
    for error in errors {
      let isRefused =
        switch error {
        case .unavailable, .uncertain: true
        default: false
        }
      #expect(isRefused, "\(String(describing: error))")
    }
    try await eventually { try await store.write { try $0.setServerValue("b", to: [3]) } }
    #expect(try await eventually { try await store.read { try $0.serverValue("b") } } == [3])
    await store.close()
  }

  @Test func `a commit that waits for a lost standby is refused as unknown`() async throws {
    let cluster = try await FailoverCluster.start()
    defer { cluster.end() }
    let store = try open(cluster.url, connections: 1)
    // The standby is synchronous.
    try await store.write { try $0.setServerValue("a", to: [1]) }
    let errors = try await errors(of: cluster, frozen: .standby, count: 1) { _ in
      try await store.write { try $0.setServerValue("a", to: [2]) }
    }
    #expect(
      errors == [
        .uncertain(
          "the connection to PostgreSQL was lost during a commit: it isn't known whether the "
            + "change was made")
      ])
    #expect(try await eventually { try await store.read { try $0.serverValue("a") } } == [2])
    await store.close()
  }

  /// Its replication may be behind: it would accept sessions that were ended.
  @Test func `a standby to which the address leads isn't read`() async throws {
    let cluster = try await FailoverCluster.start()
    defer { cluster.end() }
    try await cluster.setAddress(to: .primary)
    let store = try open(cluster.changingURL, connections: 1)
    try await store.write { try $0.setServerValue("a", to: [1]) }
    try await cluster.setAddress(to: .standby)
    try await cluster.endConnections()
    await #expect(throws: PostgresOutageTests.tooLate) {
      try await store.read { try $0.serverValue("a") }
    }
    await #expect(throws: PostgresOutageTests.tooLate) {
      try await store.write { try $0.setServerValue("a", to: [2]) }
    }
    try await cluster.setAddress(to: .primary)
    #expect(try await eventually { try await store.read { try $0.serverValue("a") } } == [1])
    await store.close()
  }

  private static let tooLate = StoreError.unavailable(
    "the operation waited too long for the database")
}
