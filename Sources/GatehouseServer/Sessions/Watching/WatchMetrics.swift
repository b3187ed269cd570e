import Metrics

/// Counts the open streams, and by reason those that ended and those that were refused.
struct WatchMetrics: Sendable {
  private let open = Gauge(label: "gatehouse_watchers")
  private let ended: [Watcher.End: Counter]
  private let refused: [WatchRefusal: Counter]

  init() {
    ended = Dictionary(
      uniqueKeysWithValues: Watcher.End.allCases.map { end in
        (
          end,
          Counter(label: "gatehouse_watchers_ended_total", dimensions: [("reason", end.rawValue)])
        )
      })
    refused = Dictionary(
      uniqueKeysWithValues: WatchRefusal.allCases.map { refusal in
        (
          refusal,
          Counter(
            label: "gatehouse_watchers_refused_total", dimensions: [("reason", "\(refusal)")])
        )
      })
  }

  func show(_ watchers: Int) { open.record(watchers) }
  func count(_ end: Watcher.End) { ended[end]?.increment() }
  func count(_ refusal: WatchRefusal) { refused[refusal]?.increment() }
}
