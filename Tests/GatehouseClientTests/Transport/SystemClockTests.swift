import GatehouseClient
import Testing

@Suite struct SystemClockTests {
  @Test(arguments: [0, -1, -.infinity, .nan] as [Double])
  func `a sleep without a length ends at once`(seconds: Double) async throws {
    try await SystemClock().sleep(for: seconds)
  }

  @Test(arguments: [.infinity, 1e300] as [Double])
  func `a sleep longer than any device is cancelled like others`(seconds: Double) async {
    let sleeper = Task { try await SystemClock().sleep(for: seconds) }
    sleeper.cancel()
    await #expect(throws: CancellationError.self) { try await sleeper.value }
  }
}
