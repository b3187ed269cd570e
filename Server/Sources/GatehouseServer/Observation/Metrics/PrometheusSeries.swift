import CoreMetrics
import Synchronization

/// One series: a name with its labels, and the recorded values.
final class PrometheusSeries: Sendable {
  enum Kind: String, Sendable {
    case counter, gauge, histogram
  }

  /// The name and labels, with only the characters that the format allows.
  struct Identity: Hashable, Sendable {
    let name: String
    /// `a="x",b="y"`, escaped.
    let labels: String

    init(label: String, dimensions: [(String, String)]) {
      name = Self.name(label)
      labels = dimensions.map { "\(Self.name($0.0))=\"\(Self.escaped($0.1))\"" }
        .joined(separator: ",")
    }

    private static func name(_ text: String) -> String {
      String(
        decoding: text.utf8.map { byte in
          (0x61...0x7A).contains(byte) || (0x41...0x5A).contains(byte)
            || (0x30...0x39).contains(byte) ? byte : UInt8(ascii: "_")
        }, as: UTF8.self)
    }

    private static func escaped(_ value: String) -> String {
      value.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: "\\n")
    }
  }

  /// Upper bounds in seconds: from a key set in memory to a slow provider.
  private static let buckets = [
    0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10,
  ]

  private struct State {
    var value = 0.0
    var count = 0
    var buckets: [Int] = []
  }

  let identity: Identity
  let kind: Kind
  private let state: Mutex<State>

  init(_ identity: Identity, _ kind: Kind) {
    self.identity = identity
    self.kind = kind
    var state = State()
    if kind == .histogram { state.buckets = Array(repeating: 0, count: Self.buckets.count) }
    self.state = Mutex(state)
  }

  private func add(_ amount: Double) { state.withLock { $0.value += amount } }

  private func observe(_ value: Double) {
    state.withLock { state in
      if kind == .gauge {
        state.value = value
        return
      }
      state.value += value
      state.count += 1
      if let place = Self.buckets.firstIndex(where: { value <= $0 }) { state.buckets[place] += 1 }
    }
  }

  /// The lines of the series.
  func text() -> String {
    let state = state.withLock { $0 }
    guard kind == .histogram else { return line("", "", Self.number(state.value)) }
    var text = ""
    var cumulative = 0
    for (bound, count) in zip(Self.buckets, state.buckets) {
      cumulative += count
      text += line("_bucket", "le=\"\(Self.number(bound))\"", String(cumulative))
    }
    text += line("_bucket", "le=\"+Inf\"", String(state.count))
    text += line("_sum", "", "\(state.value)")
    return text + line("_count", "", String(state.count))
  }

  private func line(_ suffix: String, _ label: String, _ value: String) -> String {
    let labels = [identity.labels, label].filter { !$0.isEmpty }.joined(separator: ",")
    return "\(identity.name)\(suffix)\(labels.isEmpty ? "" : "{\(labels)}") \(value)\n"
  }

  private static func number(_ value: Double) -> String {
    Int(exactly: value).map(String.init) ?? "\(value)"
  }
}

extension PrometheusSeries: CounterHandler, MeterHandler, RecorderHandler, TimerHandler {
  func increment(by amount: Int64) { add(Double(amount)) }
  func reset() { state.withLock { $0.value = 0 } }
  func set(_ value: Int64) { observe(Double(value)) }
  func set(_ value: Double) { observe(value) }
  func increment(by amount: Double) { add(amount) }
  func decrement(by amount: Double) { add(-amount) }
  func record(_ value: Int64) { observe(Double(value)) }
  func record(_ value: Double) { observe(value) }
  func recordNanoseconds(_ duration: Int64) { observe(Double(duration) / 1_000_000_000) }
}
