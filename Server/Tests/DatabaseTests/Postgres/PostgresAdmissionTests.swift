import Foundation
@testable import GatehouseServer
import Synchronization
import TestStores
import Testing

@Suite struct PostgresAdmissionTests {
  @Test func `fewer transactions run while they are aborted, and more again afterwards`() {
    let admission = PostgresAdmission(greatest: 16)
    #expect(admission.current == 16)
    for _ in 0..<100 { admission.noteAbort() }
    #expect(admission.current == 4)
    for _ in 0..<10_000 { admission.noteSuccess() }
    #expect(admission.current == 16)
  }

  @Test func `there are never more than connections`() {
    let admission = PostgresAdmission(greatest: 2)
    for _ in 0..<100 { admission.noteAbort() }
    #expect(admission.current == 2)
    for _ in 0..<1000 { admission.noteSuccess() }
    #expect(admission.current == 2)
  }

  @Test func `a transaction that waits for the others runs without them`() async {
    let admission = PostgresAdmission(greatest: 8)
    let state = State()
    await withTaskGroup(of: Void.self) { group in
      for number in 0..<200 {
        group.addTask {
          await onThread {
            admission.enter()
            admission.begin()
            if number % 10 == 0 { admission.waitForOthers() }
            state.running.withLock { $0 += 1 }
            if number % 10 == 0 {
              Thread.sleep(forTimeInterval: 0.0005)
              state.running.withLock { #expect($0 == 1) }
            }
            state.running.withLock { $0 -= 1 }
            admission.end()
            admission.leave()
          }
        }
      }
    }
  }

  /// Other operations change what this one reads, until it runs without them.
  @Test func `an operation that always conflicts with others succeeds in the end`() async throws {
    try await withSchema { _, _, url in
      let store = try PostgresStore.open(
        try address(url, connections: 8), sealing: PlainSealer())
      let state = State()
      async let others: Void = withThrowingTaskGroup(of: Void.self) { group in
        for _ in 0..<7 {
          group.addTask {
            while !state.isOver.withLock(\.self) {
              try await store.write { try $0.setServerValue("a", to: [1]) }
            }
          }
        }
        try await group.waitForAll()
      }
      let failure: (any Error)?
      do {
        for _ in 0..<20 {
          try await store.write { transaction in
            _ = try transaction.serverValue("a")
            // Slower than the others, so that one of them has committed before.
            Thread.sleep(forTimeInterval: 0.02)
            try transaction.setServerValue("a", to: [2])
          }
        }
        failure = nil
      } catch {
        failure = error
      }
      state.isOver.withLock { $0 = true }
      try await others
      #expect(failure == nil)
      await store.close()
    }
  }

  /// Otherwise what anyone can send would make the server slow.
  @Test func `a failed statement isn't an abort`() async throws {
    try await withSchema { _, _, url in
      let store = try PostgresStore.open(
        try address(url, connections: 8), sealing: PlainSealer())
      for _ in 0..<8 {
        await #expect(throws: StoreError.self) {
          try await store.write { transaction in
            let connection = transaction.connection
            try connection.execute("SELECT CAST('x' AS integer)", []) { _ in }
          }
        }
      }
      #expect(store.admission.current == 8)
      await store.close()
    }
  }
}

private final class State: Sendable {
  let running = Mutex(0)
  let isOver = Mutex(false)
}

/// Runs `body` on a thread of its own, because it blocks.
private func onThread(_ body: @escaping @Sendable () -> Void) async {
  await withCheckedContinuation { continuation in
    Thread {
      body()
      continuation.resume()
    }.start()
  }
}
