import Foundation
import GatehouseProtocol
package import Logging
import Synchronization

/// Begins traces, and sends their spans to a collector: OTLP over HTTP, in JSON (OpenTelemetry Protocol 1.5, "JSON
/// Protobuf Encoding").
package final class Tracer: Sendable {
  /// The server's; nil if there is no collector.
  @TaskLocal package static var current: Tracer?

  private let post: @Sendable ([UInt8]) async throws -> Int
  private let percent: Int
  private let resource: [(name: String, value: String)]
  private let logger: Logger
  private let waiting = Mutex<(spans: [FinishedSpan], dropped: Int)>(([], 0))

  /// More spans are dropped: a collector that doesn't answer must not take the server's memory.
  private static let maximumWaiting = 8192
  private static let batch = 512

  /// - Parameters:
  ///   - percent: How many of 100 traces are recorded.
  ///   - version: The version of this server.
  ///   - post: Sends JSON to the collector, and returns the status of its response.
  package init(
    percent: Int, version: String, logger: Logger,
    post: @escaping @Sendable ([UInt8]) async throws -> Int
  ) {
    self.post = post
    self.percent = percent
    resource = [("service.name", "gatehouse"), ("service.version", version)]
    self.logger = logger
  }

  /// Runs `body` in the first span that this server adds to a trace.
  ///
  /// - Parameter traceParent: What the caller sent; nil or anything else begins a trace.
  package func span<Result>(
    _ name: String, _ kind: Span.Kind, after traceParent: String? = nil,
    _ attributes: [String: String], _ body: () async throws -> Result
  ) async throws -> Result {
    let caller = traceParent.flatMap { TraceParent($0, isSampled: isSampled) }
    let place = caller?.child() ?? .new(isSampled: isSampled)
    let span = Span(name, kind, at: place, parent: caller?.span, tracer: self, attributes)
    return try await span.run(body)
  }

  /// By chance: a caller chooses its trace's id, and so can't choose what is recorded.
  private var isSampled: Bool { Int.random(in: 0..<100) < percent }

  func keep(_ span: FinishedSpan) {
    waiting.withLock { waiting in
      if waiting.spans.count < Self.maximumWaiting {
        waiting.spans.append(span)
      } else {
        waiting.dropped += 1
      }
    }
  }

  /// Sends what waits. Called every few seconds, and once at the end.
  package func send() async {
    while true {
      let (batch, dropped) = waiting.withLock { waiting in
        let batch = Array(waiting.spans.prefix(Self.batch))
        waiting.spans.removeFirst(batch.count)
        defer { waiting.dropped = 0 }
        return (batch, waiting.dropped)
      }
      if dropped > 0 {
        logger.warning(
          "spans were dropped: the collector is too slow", metadata: ["count": "\(dropped)"])
      }
      guard !batch.isEmpty else { return }
      do {
        let status = try await post(OTLP(resource: resource, spans: batch).json)
        guard !(200..<300).contains(status) else { continue }
        logger.warning(
          "the collector refused spans",
          metadata: ["status": "\(status)", "count": "\(batch.count)"])
      } catch {
        logger.warning(
          "spans can't be sent to the collector",
          metadata: ["error": "\(error)", "count": "\(batch.count)"])
      }
      return
    }
  }
}

/// `ExportTraceServiceRequest`.
private struct OTLP {
  let resource: [(name: String, value: String)]
  let spans: [FinishedSpan]

  var json: [UInt8] {
    var writer = JSONWriter(reservingCapacity: 512 * spans.count)
    writer.object { request in
      request.array("resourceSpans") { list in
        list.object { one in
          one.object("resource") { Self.write(resource.map { ($0, .text($1)) }, to: &$0) }
          one.array("scopeSpans") { scopes in
            scopes.object { scope in
              scope.object("scope") { $0.member("name", "gatehouse") }
              scope.array("spans") { list in
                for span in spans { list.object { Self.write(span, to: &$0) } }
              }
            }
          }
        }
      }
    }
    return writer.bytes
  }

  private static func write(_ span: FinishedSpan, to writer: inout JSONWriter) {
    let start = Int64((span.startedAt.timeIntervalSince1970 * 1_000_000).rounded()) * 1000
    let end = start + Int64(span.duration / .nanoseconds(1))
    writer.member("traceId", span.place.trace)
    writer.member("spanId", span.place.span)
    writer.member("parentSpanId", ifPresent: span.parent)
    writer.member("name", span.name)
    writer.member("kind", Int64(span.kind.rawValue))
    writer.member("startTimeUnixNano", String(start))
    writer.member("endTimeUnixNano", String(end))
    write(span.attributes.sorted { $0.key < $1.key }.map { ($0, $1) }, to: &writer)
    if span.isFailed { writer.object("status") { $0.member("code", Int64(2)) } }
  }

  private static func write(
    _ attributes: [(String, Span.AttributeValue)], to writer: inout JSONWriter
  ) {
    writer.array("attributes") { list in
      for (name, value) in attributes {
        list.object { attribute in
          attribute.member("key", name)
          attribute.object("value") {
            switch value {
            case .text(let text): $0.member("stringValue", text)
            case .integer(let number): $0.member("intValue", String(number))
            }
          }
        }
      }
    }
  }
}
