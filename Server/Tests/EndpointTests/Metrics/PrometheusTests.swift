import GatehouseServer
import Testing

@Suite struct PrometheusTests {
  @Test func `counters, gauges and histograms are shown as text`() {
    let factory = PrometheusFactory()
    factory.makeCounter(label: "requests_total", dimensions: [("route", "a\"b")]).increment(by: 2)
    factory.makeMeter(label: "sessions", dimensions: []).set(Int64(5))
    let timer = factory.makeTimer(label: "latency.seconds", dimensions: [])
    timer.recordNanoseconds(2_000_000)
    timer.recordNanoseconds(20_000_000_000)
    let text = factory.text()
    #expect(text.contains("# TYPE requests_total counter\nrequests_total{route=\"a\\\"b\"} 2\n"))
    #expect(text.contains("# TYPE sessions gauge\nsessions 5\n"))
    #expect(text.contains("latency_seconds_bucket{le=\"0.001\"} 0\n"))
    #expect(text.contains("latency_seconds_bucket{le=\"0.0025\"} 1\n"))
    #expect(text.contains("latency_seconds_bucket{le=\"10\"} 1\n"))
    #expect(text.contains("latency_seconds_bucket{le=\"+Inf\"} 2\n"))
    #expect(text.contains("latency_seconds_count 2\n"))
  }

  @Test func `one name with the same labels is one series, and the number of series is limited`() {
    let factory = PrometheusFactory()
    for _ in 0..<3 {
      factory.makeCounter(label: "c", dimensions: [("k", "v")]).increment(by: 1)
    }
    #expect(factory.text().contains("c{k=\"v\"} 3\n"))
    for number in 0..<(PrometheusFactory.maximumSeries + 100) {
      factory.makeCounter(label: "many", dimensions: [("n", "\(number)")]).increment(by: 1)
    }
    let lines = factory.text().split(separator: "\n").filter {
      $0.hasPrefix("c{") || $0.hasPrefix("many{")
    }
    #expect(lines.count == PrometheusFactory.maximumSeries)
  }
}
