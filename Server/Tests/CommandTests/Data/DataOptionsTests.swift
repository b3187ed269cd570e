import ArgumentParser
import GatehouseServer
import Testing

@testable import gatehouse

@Suite struct DataOptionsTests {
  /// No client waits for a command, and the deletion of a large project takes minutes.
  @Test func `a command's operations run for as long as they need`() throws {
    let options = try DataOptions.parse(["--database", "postgres://db.example.com/gatehouse"])
    let address = try #require(try options.place().engine as? PostgresEngine).address
    #expect(address.statementSeconds == nil)
    #expect(address.waitSeconds == 5)
  }
}
