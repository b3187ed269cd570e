import FirebaseCore
import Testing

@Suite struct TimestampTests {
  @Test(
    arguments: [
      (0, 0, 0), (1.5, 1, 500_000_000), (-0.25, -1, 750_000_000),
    ] as [(Double, Int64, Int32)])
  func `a date has whole seconds before it, and nanoseconds`(
    time: Double, seconds: Int64, nanoseconds: Int32
  ) {
    let timestamp = Timestamp(date: Date(timeIntervalSince1970: time))
    #expect(timestamp.seconds == seconds)
    #expect(timestamp.nanoseconds == nanoseconds)
    #expect(abs(timestamp.dateValue().timeIntervalSince1970 - time) < 1e-6)
  }

  @Test func `are equal by value, and ordered by time`() {
    let early = Timestamp(seconds: 1, nanoseconds: 2)
    #expect(early == Timestamp(seconds: 1, nanoseconds: 2))
    #expect(early.hash == Timestamp(seconds: 1, nanoseconds: 2).hash)
    #expect(early.compare(Timestamp(seconds: 1, nanoseconds: 3)) == .orderedAscending)
    #expect(early.compare(Timestamp(seconds: 0, nanoseconds: 9)) == .orderedDescending)
    #expect(early.compare(early) == .orderedSame)
  }
}
