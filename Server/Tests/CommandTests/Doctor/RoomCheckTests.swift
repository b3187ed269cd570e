import Testing

@testable import gatehouse

@Suite struct RoomCheckTests {
  private static let mebibyte: Int64 = 1 << 20

  @Test(
    arguments: [
      (99, 1, "failed"), (100, 1, "warning"), (1023, 1, "warning"), (1024, 1, "ok"),
      (1024, 600, "warning"), (1200, 600, "ok"),
    ] as [(Int64, Int64, String)])
  func `the disk needs room for twice the database`(
    _ free: Int64, _ database: Int64, _ expected: String
  ) {
    let finding = RoomCheck.disk(
      freeBytes: free * Self.mebibyte, databaseBytes: database * Self.mebibyte)
    #expect(verdict([finding]) == expected)
  }

  @Test(
    arguments: [(255, "failed"), (256, "warning"), (4095, "warning"), (4096, "ok")]
      as [(UInt64, String)])
  func `connections need file descriptors`(_ limit: UInt64, _ expected: String) {
    #expect(verdict([RoomCheck.descriptors(limit: limit)]) == expected)
  }

  @Test func `a log that doesn't shrink gives a warning`() {
    #expect(verdict([RoomCheck.log(bytes: 255 * Self.mebibyte)]) == "ok")
    #expect(verdict([RoomCheck.log(bytes: 256 * Self.mebibyte)]) == "warning")
  }
}
