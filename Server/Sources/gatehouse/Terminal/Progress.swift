import Foundation

/// Shows the progress of long work on standard error: in one line that changes on a terminal, and
/// in a new line every ten seconds elsewhere.
struct Progress {
  private let isTerminal = isatty(STDERR_FILENO) == 1
  private let start = ContinuousClock.now
  private var next: ContinuousClock.Instant
  private var isShown = false

  init() { next = start + .seconds(1) }

  /// Shows the progress if it is time to.
  ///
  /// - Parameters:
  ///   - count: Units of the work that are done.
  ///   - text: Receives the units per second; called only if it is time.
  mutating func show(_ count: Int, _ text: (Int) -> String) {
    guard ContinuousClock.now >= next else { return }
    let line = text(perSecond(count))
    next = ContinuousClock.now + (isTerminal ? .milliseconds(500) : .seconds(10))
    if isTerminal {
      isShown = true
      try? FileHandle.standardError.write(contentsOf: Data("\r\u{1B}[K\(line)".utf8))
    } else {
      Terminal.note(line)
    }
  }

  /// Removes the line, before other output.
  mutating func clear() {
    guard isShown else { return }
    isShown = false
    try? FileHandle.standardError.write(contentsOf: Data("\r\u{1B}[K".utf8))
  }

  private func perSecond(_ count: Int) -> Int {
    let seconds = (ContinuousClock.now - start) / .seconds(1)
    return Int(Double(count) / max(seconds, 0.001))
  }
}
