import Foundation
import GatehouseServer

/// Checks whether work for providers was given up, or has waited for long.
enum OutboxCheck {
  /// After this time a revocation has been attempted about ten times.
  private static let patienceSeconds: TimeInterval = 3600

  static func finding(_ counts: [OutboxCount], now: Date) -> Finding {
    // Emails to mistyped addresses are refused every day.
    let failed = counts.reduce(0) { $0 + ($1.kind == .sendMail ? 0 : $1.failed) }
    let live = counts.reduce(0) { $0 + $1.live }
    let oldest = counts.compactMap(\.oldestAt).min()
    if failed > 0 {
      return Finding(
        "outbox",
        .warning(
          remedy: "gatehouse outbox list --failed shows why; then gatehouse outbox retry --failed"),
        "\(failed) entries were given up")
    }
    if let oldest, now.timeIntervalSince(oldest) > patienceSeconds {
      return Finding(
        "outbox",
        .warning(remedy: "gatehouse outbox list shows the last error of each entry"),
        "\(live) entries wait, the oldest since \(oldest.formatted(.iso8601))")
    }
    return Finding("outbox", .ok, live == 0 ? "empty" : "\(live) entries wait")
  }
}
