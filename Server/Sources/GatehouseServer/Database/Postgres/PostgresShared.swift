import Synchronization

/// What the connections of one store share.
final class PostgresShared: Sendable {
  private let state = Mutex(State())
  /// Makes the names of prepared statements unique: behind a pooler, a connection may have prepared
  /// statements of other processes.
  private let prefix = "gh\(UInt32.random(in: .min ... .max))_"

  private struct State {
    var keys: [String: Int64] = [:]
    /// Increases whenever the keys are forgotten. A key that was read before that must not be added
    /// later.
    var keyGeneration = 0
    var counter: Int64?
    var names: [String: String] = [:]
    var preparesStatements = true
    var roundTrips = 0

    mutating func forgetKeys() {
      keys = [:]
      keyGeneration += 1
    }
  }

  /// How often a thread waited for a response of the server.
  var roundTrips: Int { state.withLock { $0.roundTrips } }

  func countRoundTrip() { state.withLock { $0.roundTrips += 1 } }

  // MARK: Prepared statements

  /// False if a pooler in front of the server loses them, as PgBouncer does in transaction mode
  /// before version 1.21.
  var preparesStatements: Bool { state.withLock { $0.preparesStatements } }

  func stopPreparing() { state.withLock { $0.preparesStatements = false } }

  /// The name under which a statement is prepared, on each connection.
  func name(of sql: String) -> String {
    state.withLock { state in
      if let name = state.names[sql] { return name }
      let name = prefix + "\(state.names.count)"
      state.names[sql] = name
      return name
    }
  }

  // MARK: Keys of projects

  func key(ofProject id: String) -> Int64? { state.withLock { $0.keys[id] } }

  var keyGeneration: Int { state.withLock { $0.keyGeneration } }

  /// - Parameter generation: ``keyGeneration`` when the transaction began that read the keys.
  func remember(_ keys: [String: Int64], readIn generation: Int) {
    guard !keys.isEmpty else { return }
    state.withLock { state in
      guard state.keyGeneration == generation else { return }
      state.keys.merge(keys) { _, new in new }
    }
  }

  func forgetKeys() { state.withLock { $0.forgetKeys() } }

  /// Forgets the keys if any server changed a project since the last call: a project may have been
  /// deleted, and created again with another key.
  func look(at counter: Int64) {
    state.withLock { state in
      if state.counter != counter { state.forgetKeys() }
      state.counter = counter
    }
  }
}
