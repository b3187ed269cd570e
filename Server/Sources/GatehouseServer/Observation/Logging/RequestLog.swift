import GatehouseProtocol
import Logging

/// An entry for each request.
///
/// It has the route's name and never the path, the query or the body: those contain keys and tokens.
package struct RequestLog: Sendable {
  /// The label of its logger. Its entries are all written, however many there are.
  package static let label = "gatehouse.requests"

  private let logger: Logger

  package init() {
    var logger = Logger(label: Self.label)
    // Requests are logged or not by a setting of their own.
    logger.logLevel = .info
    self.logger = logger
  }

  struct Line: Sendable {
    var method: String
    var route: String
    var status: Int
    var milliseconds: Double
    var request: String?
    var project: ProjectID?
    var uid: UID?
    var client: String?
  }

  func write(_ line: Line) {
    var metadata: Logger.Metadata = [
      "method": "\(line.method)", "route": "\(line.route)",
      "status": .stringConvertible(line.status),
      "duration_ms": .stringConvertible(Double(Int64(line.milliseconds * 1000)) / 1000),
    ]
    metadata["request_id"] = line.request.map { "\($0)" }
    metadata["project"] = line.project.map { "\($0)" }
    metadata["uid"] = line.uid.map { "\($0)" }
    metadata["client"] = line.client.map { "\($0)" }
    logger.info("request", metadata: metadata)
  }
}
