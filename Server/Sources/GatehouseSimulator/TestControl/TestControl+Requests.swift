import Foundation
import Hummingbird

extension TestControl {
  /// `GET /simulator/requests`: the number of requests to each endpoint of a provider, and the last
  /// 200 requests, oldest first.
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

  /// `DELETE /simulator/requests`: clears the requests and resets the counts.
  func deleteRequests() throws -> Response {
    store.withState { $0.requests = RequestLog() }
    return try .json([:])
  }
}
