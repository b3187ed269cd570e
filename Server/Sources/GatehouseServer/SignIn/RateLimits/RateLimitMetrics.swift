import Metrics

/// Counts the requests that a rate limit refused: a rising number may mean that an attacker guesses
/// passwords or codes. Streams of events have a counter of their own.
struct RateLimitMetrics: Sendable {
  private let refusals: Counter

  init(factory: any MetricsFactory = MetricsSystem.factory) {
    refusals = Counter(label: "gatehouse_rate_limit_refusals_total", factory: factory)
  }

  /// Counts the error if clients get `TOO_MANY_ATTEMPTS_TRY_LATER` for it.
  func count(_ error: any Error) {
    switch error as? AccountsError {
    case .tooManyAttempts, .tooManyActionCodes: refusals.increment()
    default: break
    }
  }
}
