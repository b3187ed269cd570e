import GatehouseProtocol
import Testing

@Suite struct LockedTests {
  @Test func `no change is lost`() async {
    let count = Locked(0)
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<50 { group.addTask { for _ in 0..<200 { count.withLock { $0 += 1 } } } }
    }
    #expect(count.withLock { $0 } == 10_000)
  }

  private struct Refusal: Error {}

  @Test func `an error ends the lock, and what was changed before it stays`() {
    let text = Locked("")
    #expect(throws: Refusal.self) {
      try text.withLock { text throws(Refusal) in
        text = "changed"
        throw Refusal()
      }
    }
    #expect(text.withLock { $0 } == "changed")
  }
}
