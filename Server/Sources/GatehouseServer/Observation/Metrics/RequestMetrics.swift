import Metrics
import Synchronization

/// Counts requests and measures their duration, by route and status.
///
/// The labels come from the route table and from statuses that this server returns, so the number
/// of series is limited, whatever paths are requested.
final class RequestMetrics: Sendable {
  private struct Series: Hashable {
    let route: String
    let status: Int
  }

  private let counters = Mutex<[Series: Counter]>([:])
  private let timers = Mutex<[String: Timer]>([:])

  func record(route: String, status: Int, _ duration: Duration) {
    let counter = counters.withLock { counters in
      let series = Series(route: route, status: status)
      if let counter = counters[series] { return counter }
      let counter = Metric.requests.counter(("route", route), ("status", String(status)))
      counters[series] = counter
      return counter
    }
    counter.increment()
    let timer = timers.withLock { timers in
      if let timer = timers[route] { return timer }
      let timer = Metric.requestSeconds.timer(("route", route))
      timers[route] = timer
      return timer
    }
    timer.record(duration)
  }
}

extension Timer {
  func record(_ duration: Duration) {
    let (seconds, attoseconds) = duration.components
    let nanoseconds = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    recordNanoseconds(
      nanoseconds.overflow ? .max : nanoseconds.partialValue &+ attoseconds / 1_000_000_000)
  }
}
