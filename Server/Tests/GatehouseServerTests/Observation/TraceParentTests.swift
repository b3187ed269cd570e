@testable import GatehouseServer
import Testing

/// W3C Trace Context §3.2.2, and the examples of §3.2.2.5.
@Suite struct TraceParentTests {
  private static let trace = "4bf92f3577b34da6a3ce929d0e0e4736"
  private static let span = "00f067aa0ba902b7"

  @Test(arguments: [
    "00-\(trace)-\(span)-01", "00-\(trace)-\(span)-00",
    // A later version may have further fields.
    "cc-\(trace)-\(span)-01", "cc-\(trace)-\(span)-01-what-the-future-will-be",
  ])
  func `it is read`(_ text: String) throws {
    let parent = try #require(TraceParent(text, isSampled: true))
    #expect(parent.trace == Self.trace)
    #expect(parent.span == Self.span)
  }

  @Test(arguments: [
    "", "00", "00-\(trace)-\(span)", "00-\(trace)-\(span)-1", "00-\(trace)-\(span)-01-more",
    "ff-\(trace)-\(span)-01", "cc-\(trace)-\(span)-01.more", "00_\(trace)-\(span)-01",
    "00-\(trace.uppercased())-\(span)-01", "00-00000000000000000000000000000000-\(span)-01",
    "00-\(trace)-0000000000000000-01", "00-\(trace)-00f067aa0ba902bg-01",
  ])
  func `anything else is no trace`(_ text: String) {
    #expect(TraceParent(text, isSampled: true) == nil)
  }

  @Test func `the caller's flag doesn't decide what is recorded`() throws {
    let asked = try #require(TraceParent("00-\(Self.trace)-\(Self.span)-01", isSampled: false))
    #expect(!asked.isSampled)
    #expect(asked.text == "00-\(Self.trace)-\(Self.span)-00")
  }

  @Test func `a child has the trace, and an id of its own`() {
    let parent = TraceParent.new(isSampled: true)
    let child = parent.child()
    #expect(child.trace == parent.trace)
    #expect(child.span != parent.span)
    #expect(TraceParent(child.text, isSampled: true) == child)
  }
}
