import GatehouseServer
import Logging
import Synchronization
import Testing

@Suite struct RepeatedEntriesTests {
  private let start = ContinuousClock.now

  @Test func `twenty entries of a kind are written in a minute, and the others are counted`() {
    let entries = RepeatedEntries()
    for _ in 1...20 { #expect(entries.admit("a", now: start) == 0) }
    for _ in 1...5 { #expect(entries.admit("a", now: start + .milliseconds(59_999)) == nil) }
    #expect(entries.admit("a", now: start + .seconds(60)) == 5)
    #expect(entries.admit("a", now: start + .seconds(60)) == 0)
  }

  @Test func `one kind doesn't suppress another`() {
    let entries = RepeatedEntries()
    for _ in 1...21 { _ = entries.admit("a", now: start) }
    #expect(entries.admit("a", now: start) == nil)
    #expect(entries.admit("b", now: start) == 0)
  }

  /// Keeps the logged entries.
  private struct Kept: LogHandler {
    final class Lines: Sendable {
      let texts = Mutex<[String]>([])
    }
    let lines: Lines
    var logLevel = Logger.Level.trace
    var metadata = Logger.Metadata()
    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
      get { metadata[key] }
      set { metadata[key] = newValue }
    }
    func log(event: LogEvent) {
      lines.texts.withLock { $0.append("\(event.level) \(event.message)") }
    }
  }

  @Test func `a line that clients repeat is written twenty times, whatever it says`() {
    let lines = Kept.Lines()
    let logger = Logger(label: "test") { _ in
      RepetitionLogHandler(Kept(lines: lines), RepeatedEntries())
    }
    for number in 1...100 { logger.notice("refused \(number)") }
    #expect(lines.texts.withLock { $0.count } == 20)
    logger.notice("another place")
    #expect(lines.texts.withLock { $0.last } == "notice another place")
  }

  @Test func `entries below info are all written`() {
    let lines = Kept.Lines()
    let logger = Logger(label: "test") { _ in
      RepetitionLogHandler(Kept(lines: lines), RepeatedEntries())
    }
    for _ in 1...100 { logger.debug("seen") }
    #expect(lines.texts.withLock { $0.count } == 100)
  }
}
