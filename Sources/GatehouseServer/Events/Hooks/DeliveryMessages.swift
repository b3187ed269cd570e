import Foundation
import GatehouseJSON
import GatehouseModel
import GatehouseWire

/// Deliveries of a hook that wait or were given up.
struct DeliveryListResponse: WireResponse {
  let deliveries: [Delivery]
  let nextPageToken: String?

  func writeMembers(to writer: inout JSONWriter) {
    writer.array("deliveries") { list in
      for delivery in deliveries {
        list.object { item in
          let (entry, event) = (delivery.entry, delivery.event)
          item.member("id", entry.id.text)
          item.object("event") {
            $0.member("id", event.id.text)
            $0.member("type", event.kind.rawValue)
            $0.member("uid", ifPresent: event.uid?.text)
            $0.member("time", event.at.formatted(.iso8601))
          }
          item.member("attempts", entry.attempts)
          item.member("state", entry.failedAt == nil ? "waiting" : "givenUp")
          if entry.failedAt == nil {
            item.member("nextAttemptTime", entry.dueAt.formatted(.iso8601))
          }
          item.member("lastError", ifPresent: entry.lastError)
        }
      }
    }
    writer.member("nextPageToken", ifPresent: nextPageToken)
  }
}

/// `:redeliver`: exactly one of `undelivered`, `eventId` and `since`.
struct RedeliverRequest: WireRequest {
  let undelivered: Bool
  let eventID: String?
  let since: String?

  static let knownMembers = KnownMembers(["undelivered", "eventId", "since"])

  init(_ fields: WireFields) throws(WireError) {
    undelivered = try fields.bool("undelivered") ?? false
    eventID = try fields.nonEmptyString("eventId")
    since = try fields.nonEmptyString("since")
  }
}

struct RedeliverResponse: WireResponse {
  let count: Int

  func writeMembers(to writer: inout JSONWriter) { writer.member("count", count) }
}
