import Foundation

/// A notification that was made, and what became of it.
struct AppleNotification: Sendable {
  let id: UInt64
  let event: AppleEvent
  /// The JWS that the body's `payload` holds.
  let payload: String
  /// Where it goes; nil if the app registered no URL.
  let url: String?
  var attempts = 0
  /// The status of the last answer; nil before one, and where there was none.
  var status: Int?

  /// Apple takes nothing but 200 for an answer, and tries again.
  var isDelivered: Bool { status == 200 }
}

/// The last notifications, the oldest first.
struct AppleNotifications: Sendable {
  private let limit: Int
  private var lastID: UInt64 = 0
  private(set) var all: [AppleNotification] = []

  init(limit: Int) { self.limit = max(1, limit) }

  var undelivered: [AppleNotification] { all.filter { $0.url != nil && !$0.isDelivered } }

  mutating func add(_ event: AppleEvent, payload: String, url: String?) -> AppleNotification {
    lastID += 1
    let notification = AppleNotification(id: lastID, event: event, payload: payload, url: url)
    all.append(notification)
    if all.count > limit { all.removeFirst() }
    return notification
  }

  /// Notes an attempt. No effect on a notification that is forgotten already.
  ///
  /// - Returns: The notification with what became of it.
  mutating func note(status: Int?, of notification: AppleNotification) -> AppleNotification {
    var noted = notification
    noted.attempts += 1
    noted.status = status
    if let index = all.firstIndex(where: { $0.id == notification.id }) { all[index] = noted }
    return noted
  }
}
