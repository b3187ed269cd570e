/// How many devices may watch their accounts at once. Each holds a connection.
package struct WatchLimits: Hashable, Sendable {
  /// In all. 0: no device may.
  package var watchers = 1024
  /// From one client address, as the trusted proxies report it.
  package var perAddress = 128
  /// Of one account. A further one ends the oldest.
  package var perAccount = 20
  /// The most events that wait for a device that reads slowly. At one more, its stream ends, and
  /// the device resumes it.
  package var waitingEvents = 64

  package init() {}

  /// How many of a server's connections watchers may hold: nine tenths, rounded down.
  package static func most(of connections: Int) -> Int { connections - (connections + 9) / 10 }
}

/// Why a device may not watch now.
package enum WatchRefusal: Error, Hashable, Sendable, CaseIterable {
  /// The server has as many watchers as it may have.
  case full
  /// The client's address has as many watchers as it may have.
  case address
  /// The server is shutting down.
  case closing

  /// When to try again. Seconds.
  package var retryAfterSeconds: Int {
    switch self {
    case .full, .address: 60
    case .closing: 2
    }
  }
}

extension WatchRefusal: APIErrorConvertible {
  var apiError: APIError {
    switch self {
    case .full, .closing: .unavailable(retryAfterSeconds: retryAfterSeconds)
    case .address:
      .tooManyRequests(
        "This address has too many streams of events.", retryAfterSeconds: retryAfterSeconds)
    }
  }
}
