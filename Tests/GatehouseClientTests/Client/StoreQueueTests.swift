import Dispatch
import Foundation
import GatehouseClient
import GatehouseProtocol
import Testing

/// Swift has as many threads for async functions as there are cores. A store that blocks must not take one.
@Suite struct StoreQueueTests {
  /// Each call blocks its thread until the store is released.
  private final class BlockingStore: SessionStore {
    private let inner = MemoryStore()
    private let condition = NSCondition()
    private let state = Locked((isReleased: false, waiting: 0))

    var waiting: Int { state.withLock { $0.waiting } }

    func release() {
      condition.lock()
      state.withLock { $0.isReleased = true }
      condition.broadcast()
      condition.unlock()
    }

    private func block() {
      condition.lock()
      state.withLock { $0.waiting += 1 }
      while !state.withLock({ $0.isReleased }) { condition.wait() }
      condition.unlock()
    }

    func read(_ key: String) throws(StoreFault) -> Data? {
      block()
      return try inner.read(key)
    }
    func write(_ data: Data, for key: String) throws(StoreFault) {
      block()
      try inner.write(data, for: key)
    }
    func remove(_ key: String) throws(StoreFault) {
      block()
      try inner.remove(key)
    }
    func update(
      _ key: String, _ change: (Data?) throws(StoreFault) -> Data?
    ) throws(StoreFault) -> Data? {
      block()
      return try inner.update(key, change)
    }
  }

  @Test func `as many blocked stores as there are cores don't keep another task from running`()
    async throws
  {
    let store = BlockingStore()
    let count = ProcessInfo.processInfo.activeProcessorCount
    let other = DispatchSemaphore(value: 0)
    let hasRun = Locked(false)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<count {
        let bench = try Bench(store: store)
        group.addTask { try await bench.signedIn() }
      }
      // Outside of Swift's threads, which may all be blocked.
      DispatchQueue.global().async {
        let end = DispatchTime.now() + .seconds(60)
        while store.waiting < count, DispatchTime.now() < end { usleep(1000) }
        Task { other.signal() }
        hasRun.withLock { $0 = other.wait(timeout: end) == .success }
        store.release()
      }
      try await group.waitForAll()
    }
    #expect(hasRun.withLock { $0 })
  }
}
