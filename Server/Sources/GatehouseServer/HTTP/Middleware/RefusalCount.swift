import GatehouseProtocol
import Metrics

/// Counts a request that was refused with a code. A rising number of `TOO_MANY_ATTEMPTS_TRY_LATER` may mean that an
/// attacker guesses passwords or codes.
func countRefusal(_ error: any Error) {
  guard let code = (error as? any APIErrorConvertible)?.apiError.code else { return }
  Metric.refusals.counter(("code", code.rawValue)).increment()
}
