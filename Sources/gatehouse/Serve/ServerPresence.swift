import Foundation
import GatehouseAccounts
import GatehouseOperation
import Synchronization

/// Tells commands that this server runs: by a locked file in the data folder, or by a row of the database
/// that several machines share.
final class ServerPresence: Sendable {
  /// The id of this process: a random number.
  let id = String(UInt64.random(in: .min ... .max), radix: 16)
  private let mark: ServingMark?
  private let servers: RunningServers?
  private let announcedAt = Mutex<Date?>(nil)

  private static let host = ProcessInfo.processInfo.hostName
  private static let process = ProcessInfo.processInfo.processIdentifier

  init(at place: DataPlace, masterKeys: MasterKeyRing, store: any Store) throws {
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
    try await servers.announce(
      RunningServers.Entry(
        id: id, host: Self.host, process: Self.process,
        masterKeys: masterKeys, version: Version.current), now: now)
    announcedAt.withLock { $0 = now }
  }

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
