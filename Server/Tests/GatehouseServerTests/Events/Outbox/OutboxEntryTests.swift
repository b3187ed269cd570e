import GatehouseServer
import Testing

@Suite struct OutboxEntryTests {
  @Test func `an id is never taken for an option of a command`() {
    let ids = (0..<4096).map { _ in OutboxID.random() }
    #expect(Set(ids).count == 4096)
    #expect(ids.allSatisfy { !$0.text.hasPrefix("-") })
    #expect(ids.allSatisfy { $0.text.utf8.count == 22 && OutboxID($0.text) == $0 })
  }
}
