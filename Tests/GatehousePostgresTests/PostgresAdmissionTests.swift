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
}
