package import CoreMetrics
import Synchronization

/// A metrics backend that keeps everything in memory and returns it as text for Prometheus
/// (exposition format 0.0.4).
///
/// A counter is a total. Timers, and recorders that aggregate, are histograms with fixed buckets.
/// Meters and other recorders are gauges. At most ``maximumSeries`` series are kept; further series
/// are ignored. Registering is slow and rare; recording takes a short lock.
package final class PrometheusFactory: MetricsFactory, Sendable {
  package static let maximumSeries = 2000

  private let series = Mutex<[PrometheusSeries.Identity: PrometheusSeries]>([:])

  private let process = ProcessMetrics()

  package init() {}

  package func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
    register(.counter, label, dimensions)
  }

  package func makeMeter(label: String, dimensions: [(String, String)]) -> any MeterHandler {
    register(.gauge, label, dimensions)
  }

  package func makeRecorder(
    label: String, dimensions: [(String, String)], aggregate: Bool
  ) -> any RecorderHandler {
    register(aggregate ? .histogram : .gauge, label, dimensions)
  }

  package func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
    register(.histogram, label, dimensions)
  }

  /// Series stay as long as the process runs: Prometheus reads a total that disappears as a reset.
  package func destroyCounter(_ handler: any CounterHandler) {}
  package func destroyMeter(_ handler: any MeterHandler) {}
  package func destroyRecorder(_ handler: any RecorderHandler) {}
  package func destroyTimer(_ handler: any TimerHandler) {}

  private func register(
    _ kind: PrometheusSeries.Kind, _ label: String, _ dimensions: [(String, String)]
  ) -> PrometheusSeries {
    let identity = PrometheusSeries.Identity(label: label, dimensions: dimensions)
    return series.withLock { series in
      if let known = series[identity] { return known }
      let new = PrometheusSeries(identity, kind)
      if series.count < Self.maximumSeries { series[identity] = new }
      return new
    }
  }

  /// All series, sorted by name and labels, and the process's own.
  package func text() -> String {
    let all = series.withLock { Array($0.values) }
      .sorted { ($0.identity.name, $0.identity.labels) < ($1.identity.name, $1.identity.labels) }
    var text = ""
    var lastName = ""
    for series in all {
      if series.identity.name != lastName {
        text += Self.head(series.identity.name, series.kind)
        lastName = series.identity.name
      }
      text += series.text()
    }
    for (metric, value) in process.values {
      text += Self.head(metric.rawValue, metric == .processSeconds ? .counter : .gauge)
      text += "\(metric.rawValue) \(value)\n"
    }
    return text
  }

  private static func head(_ name: String, _ kind: PrometheusSeries.Kind) -> String {
    let help = Metric(rawValue: name).map { "# HELP \(name) \($0.help)\n" } ?? ""
    return help + "# TYPE \(name) \(kind.rawValue)\n"
  }
}
