import Synchronization

/// The work of the writer. Operations divided by commits is the average number that shared a
/// commit.
package final class WriterCounts: Sendable {
  private let state = Mutex((commits: 0, operations: 0))

  package var commits: Int { state.withLock { $0.commits } }
  package var operations: Int { state.withLock { $0.operations } }

  func add(operations: Int) {
    state.withLock { state in
      state.commits += 1
      state.operations += operations
    }
  }
}
