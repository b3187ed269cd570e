import Metrics

/// Counts the outcomes of calls to blocking functions, by trigger.
package struct BlockingFunctionMetrics: Sendable {
  private let counters: [String: Counter]

  /// - Parameter outcomes: The names of the possible outcomes.
  package init(outcomes: [String]) {
    var counters: [String: Counter] = [:]
    for trigger in BlockingFunction.Trigger.allCases {
      for outcome in outcomes {
        counters[trigger.rawValue + outcome] = Counter(
          label: "gatehouse_blocking_function_calls_total",
          dimensions: [("trigger", trigger.rawValue), ("outcome", outcome)])
      }
    }
    self.counters = counters
  }

  package func count(_ trigger: BlockingFunction.Trigger, _ outcome: String) {
    counters[trigger.rawValue + outcome]?.increment()
  }
}
