import Foundation

/// A notification and the result of its delivery.
struct AppleNotification: Sendable {
  let id: UInt64
  let event: AppleEvent
  /// The JWS in the `payload` member of the body.
  let payload: String
  /// The destination; nil if the app registered no URL.
  let url: String?
  var attempts = 0
  /// The status of the last response; nil before the first attempt, and if there was no response.
  var status: Int?

  /// Apple treats only 200 as delivered, and otherwise tries again.
  var isDelivered: Bool { status == 200 }
}

/// The latest notifications, oldest first.
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

  /// Records an attempt. Does nothing for a notification that was already removed.
  ///
  /// - Returns: The notification with the result.
  mutating func note(status: Int?, of notification: AppleNotification) -> AppleNotification {
    var noted = notification
    noted.attempts += 1
    noted.status = status
    if let index = all.firstIndex(where: { $0.id == notification.id }) { all[index] = noted }
    return noted
  }
}
