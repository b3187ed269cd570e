import GatehouseAccounts
import GatehouseSQL
import TestStores
import Testing

@testable import GatehousePostgres

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

  /// Otherwise what anyone can send would make the server slow.
  @Test func `a failed statement isn't an abort`() async throws {
    try await withSchema { _, _, url in
      let store = try PostgresStore.open(
        try address(url, connections: 8), sealing: PlainSealer())
      for _ in 0..<8 {
        await #expect(throws: StoreError.self) {
          try await store.write { transaction in
            let connection = try #require(transaction as? any SQLStoreTransaction).connection
            try connection.execute("SELECT 1 / 0", []) { _ in }
          }
        }
      }
      #expect(store.admission.current == 8)
      await store.close()
    }
  }
}
