import Foundation
import GatehouseServer
import Logging
import ServiceLifecycle

/// A server's work for the devices that watch their accounts: passes events on, sends heartbeats, and ends
/// all streams at a shutdown.
struct Watching: Service {
  let hub: WatchHub
  let feed: WatchFeed
  let clock: @Sendable () -> Date
  let logger: Logger

  private static let timeBetweenLooks = Duration.milliseconds(100)

  func run() async throws {
    await cancelWhenGracefulShutdown {
      var feed = feed
      let start = ContinuousClock.now
      while !Task.isCancelled {
        do {
          try await feed.look()
        } catch is CancellationError {
          break
        } catch {
          logger.error(
            "devices that watch their accounts get no events: the event log can't be read",
            metadata: ["error": "\(error)"])
        }
        hub.beat(elapsed: ContinuousClock.now - start, now: clock())
        try? await Task.sleep(for: Self.timeBetweenLooks)
      }
    }
    hub.close()
  }
}
