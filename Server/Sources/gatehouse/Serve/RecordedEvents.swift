import GatehouseServer
import Logging

/// Logs each event of the event log that this server caused.
struct RecordedEvents: Sendable {
  /// The label of the logger. Its entries are all written, however many there are.
  static let label = "gatehouse.events"

  private let logger = Logger(label: Self.label)

  func log(_ event: Event) {
    var metadata: Logger.Metadata = ["actor": "\(event.actor.text)", "event": "\(event.id.text)"]
    metadata["project"] = event.project.map { "\($0)" }
    metadata["uid"] = event.uid.map { "\($0)" }
    metadata["client"] = event.source.address.map { "\($0)" }
    metadata["request_id"] = event.source.request.map { "\($0)" }
    // The former and the new values are in the event log.
    let details = event.details.filter { !$0.key.hasPrefix("from.") && !$0.key.hasPrefix("to.") }
    if !details.isEmpty { metadata["details"] = .dictionary(details.mapValues { "\($0)" }) }
    // What the server does by itself is nobody's act.
    logger.log(
      level: event.actor == .server ? .debug : .info, "\(event.kind.rawValue)", metadata: metadata)
  }
}
