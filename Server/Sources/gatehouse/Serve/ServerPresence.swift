import Foundation
import GatehouseServer
import Logging
import Metrics
import Synchronization

/// Tells commands that this server runs: by a locked file in the data folder, or by a row of the database
/// that several machines share.
final class ServerPresence: Sendable {
  /// The id of this process: a random number.
  let id = String(UInt64.random(in: .min ... .max), radix: 16)
  private let mark: ServingMark?
  private let servers: RunningServers?
  let clocks: ClockComparison
  private let announcedAt = Mutex<Date?>(nil)

  private static let host = ProcessInfo.processInfo.hostName
  private static let process = ProcessInfo.processInfo.processIdentifier

  init(at place: DataPlace, masterKeys: MasterKeyRing, store: any Store) throws {
    clocks = ClockComparison(store)
    guard !place.engine.isShared else {
      mark = nil
      servers = RunningServers(store: store)
      return
    }
    servers = nil
    do {
      mark = try ServingMark.make(
        in: place.folder,
        ServingMark.Contents(process: Self.process, masterKeys: masterKeys.keys.map(\.name)))
    } catch {
      guard let fault = place.engine.openingFault() else { throw error }
      throw CommandFailure("the server can't start: \(fault)")
    }
  }

  /// - Parameter isNew: Whether the keys have changed. Then the server is announced at once; otherwise only
  ///   every few seconds.
  func announce(masterKeys: [String], isNew: Bool, now: Date) async throws {
    if isNew {
      try mark?.write(ServingMark.Contents(process: Self.process, masterKeys: masterKeys))
    }
    guard let servers, isNew || isDue(now) else { return }
    let offset = clocks.offset
    try await servers.announce(
      RunningServers.Entry(
        id: id, host: Self.host, process: Self.process, masterKeys: masterKeys,
        version: Version.current, clockOffset: offset),
      // By a wrong clock, the others would seem to be gone, and their rows would be removed.
      now: clocks.verdict == .wrong ? now.addingTimeInterval(-(offset ?? 0)) : now)
    announcedAt.withLock { $0 = now }
  }

  /// Compares the clocks, and logs a difference.
  func compareClocks(_ clock: @Sendable () -> Date, _ logger: Logger) async throws {
    try await clocks.compare(clock) { now in
      try await servers?.all(now: now).filter { $0.id != id }.compactMap(\.clockOffset) ?? []
    }
    guard let offset = clocks.offset else { return }
    Self.offsetGauge.record(offset)
    let seconds: Logger.Metadata = ["seconds": "\(Int(offset.rounded()))"]
    let remedy = "synchronize it (timedatectl set-ntp true, or chrony)"
    switch clocks.verdict {
    case .right: break
    case .strange:
      logger.warning(
        "this server's clock is \(ClockComparison.text(offset)) the database's; \(remedy)",
        metadata: seconds)
    case .databaseIsWrong:
      logger.warning(
        "the database's clock differs from the clocks of most servers; \(remedy)", metadata: seconds
      )
    case .wrong:
      logger.error(
        """
        this server's clock is \(ClockComparison.text(offset)) the database's: others refuse its tokens, \
        so /readyz responds with 503; \(remedy)
        """, metadata: seconds)
    }
  }

  private static let offsetGauge = Metric.clockOffsetSeconds.gauge()

  func end() async {
    mark?.remove()
    try? await servers?.remove(id)
  }

  private func isDue(_ now: Date) -> Bool {
    announcedAt.withLock { last in
      last.map { abs(now.timeIntervalSince($0)) >= RunningServers.announcementSeconds } ?? true
    }
  }
}
