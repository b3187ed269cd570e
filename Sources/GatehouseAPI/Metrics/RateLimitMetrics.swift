import Metrics

/// Counts the requests that a rate limit refused: a rising number may mean that an attacker guesses
/// passwords or codes.
struct RateLimitMetrics: Sendable {
  private let refusals = Counter(label: "gatehouse_rate_limit_refusals_total")

  func countRefusal() { refusals.increment() }
}
