import Foundation
import Hummingbird

extension TestControl {
  /// `GET /simulator/requests`: how often each endpoint of a provider was asked, and the last 200
  /// requests, the oldest first.
  func showRequests() throws -> Response {
    let log = store.withState { $0.requests }
    let last = log.last.map { entry -> JSONValue in
      [
        "method": .string(entry.method),
        "path": .string(entry.path),
        "status": .integer(entry.status),
        "time": .string(entry.time.formatted(.iso8601)),
      ]
    }
    return try .json([
      "counts": .object(log.counts.mapValues(JSONValue.integer)), "last": .array(last),
    ])
  }

  /// `DELETE /simulator/requests`: counts from nothing again.
  func deleteRequests() throws -> Response {
    store.withState { $0.requests = RequestLog() }
    return try .json([:])
  }
}
