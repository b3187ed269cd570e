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
      let counter = Counter(
        label: "gatehouse_http_requests_total",
        dimensions: [("route", route), ("status", String(status))])
      counters[series] = counter
      return counter
    }
    counter.increment()
    let timer = timers.withLock { timers in
      if let timer = timers[route] { return timer }
      let timer = Timer(
        label: "gatehouse_http_request_duration_seconds", dimensions: [("route", route)])
      timers[route] = timer
      return timer
    }
    let (seconds, attoseconds) = duration.components
    let nanoseconds = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    timer.recordNanoseconds(
      nanoseconds.overflow ? .max : nanoseconds.partialValue &+ attoseconds / 1_000_000_000)
  }
}
