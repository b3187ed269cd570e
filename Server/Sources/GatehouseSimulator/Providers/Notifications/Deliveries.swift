import Foundation

/// A notification and the result of its delivery.
struct Delivery<Event: ReportedEvent>: Sendable {
  /// A server's response.
  struct Answer: Sendable {
    let status: Int
    /// The beginning of the body: an error of the receiver is explained there (RFC 8935 §2.3).
    let text: String
  }

  let id: UInt64
  let event: Event
  /// The signed token.
  let payload: String
  /// The destination; nil if the client registered no URL.
  let url: String?
  var attempts = 0
  /// The last response; nil before the first attempt, and if there was no response.
  var answer: Answer?

  /// Whether a server accepted the notification. Otherwise a real provider would send it again.
  var isDelivered: Bool { answer?.status == Event.acceptedStatus }
}

/// The latest notifications of a provider, oldest first.
struct Deliveries<Event: ReportedEvent>: Sendable {
  private let limit: Int
  private var lastID: UInt64 = 0
  private(set) var all: [Delivery<Event>] = []

  init(limit: Int) { self.limit = max(1, limit) }

  var undelivered: [Delivery<Event>] { all.filter { $0.url != nil && !$0.isDelivered } }

  mutating func add(_ event: Event, payload: String, url: String?) -> Delivery<Event> {
    lastID += 1
    let delivery = Delivery(id: lastID, event: event, payload: payload, url: url)
    all.append(delivery)
    if all.count > limit { all.removeFirst() }
    return delivery
  }

  /// Records an attempt. Does nothing for a notification that was already removed.
  ///
  /// - Returns: The notification with the result.
  mutating func note(
    _ answer: Delivery<Event>.Answer?, of delivery: Delivery<Event>
  ) -> Delivery<Event> {
    var noted = delivery
    noted.attempts += 1
    noted.answer = answer
    if let index = all.firstIndex(where: { $0.id == delivery.id }) { all[index] = noted }
    return noted
  }
}

extension Delivery {
  func json(withPayload: Bool) -> JSONValue {
    var members: [String: JSONValue] = [
      "provider": .string(Event.provider.rawValue), "client_id": .string(event.clientID),
      "type": .string(event.type), "sub": .optional(event.subject), "url": .optional(url),
      "attempts": .integer(attempts),
      "status": answer.map { JSONValue.integer($0.status) } ?? .null,
      "answer": .optional(answer?.text), "delivered": .bool(isDelivered),
    ]
    members.merge(event.details) { _, own in own }
    if withPayload { members["payload"] = .string(payload) }
    return .object(members)
  }
}

extension Deliveries {
  /// The latest notifications as a table of the overview, latest first.
  var overview: String {
    let rows = all.suffix(HTML.shownRows).reversed().map { delivery in
      [
        HTML.escape(delivery.event.type), HTML.code(delivery.event.clientID),
        delivery.event.subject.map(HTML.code) ?? "", HTML.escape(delivery.url ?? "no URL"),
        delivery.answer.map { String($0.status) }
          ?? (delivery.attempts > 0 ? "no response" : ""),
      ]
    }
    return HTML.table(["Event", "App", "Subject", "To", "Status"], Array(rows))
  }
}
