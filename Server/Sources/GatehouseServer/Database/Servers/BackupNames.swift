package import Foundation
import GatehouseProtocol

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The backups in one folder, named by their times.
package struct BackupNames: Sendable {
  private let folder: String

  private static let prefix = "gatehouse-"
  private static let suffix = ".sqlite"

  package init(folder: String) { self.folder = folder }

  package var isFolder: Bool {
    var isDirectory: ObjCBool = false
    return unsafe FileManager.default.fileExists(atPath: folder, isDirectory: &isDirectory)
      && isDirectory.boolValue
  }

  /// `gatehouse-20260102T030405Z.sqlite` in the folder. UTC, to the second.
  package func path(at time: Date) -> String {
    folder + "/" + Self.prefix + Self.stamp(time) + Self.suffix
  }

  /// `20260102T030405Z`: the order of the texts is the order of the times.
  package static func stamp(_ time: Date) -> String {
    time.formatted(
      Date.ISO8601FormatStyle(dateSeparator: .omitted, timeSeparator: .omitted, timeZone: .gmt))
  }

  /// Runs `body` while no other process makes a backup in the folder.
  ///
  /// Before, removes the unfinished files of processes that were killed. On a file system without locks
  /// they stay: another process may be writing them.
  ///
  /// - Parameter body: Gets the removed files.
  /// - Returns: Nil, without a call of `body`, if another process makes a backup there.
  package func alone<Result>(_ body: (_ removed: [String]) throws -> Result) throws -> Result? {
    let descriptor = unsafe open(folder, O_RDONLY | O_CLOEXEC)
    defer { if descriptor >= 0 { close(descriptor) } }
    guard descriptor >= 0, flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      return errno == EWOULDBLOCK ? nil : try body([])
    }
    let unfinished = try FileManager.default.contentsOfDirectory(atPath: folder)
      .filter(Self.isUnfinished).sorted().map { folder + "/" + $0 }
    for path in unfinished { try FileManager.default.removeItem(atPath: path) }
    return try body(unfinished)
  }

  /// Removes the oldest backups beyond `count`, and no other files.
  ///
  /// - Parameters:
  ///   - count: At least 1.
  ///   - new: The backup that was just made. It stays, and counts as the newest one, also if the names of
  ///     others are from a time when the clock was ahead.
  ///   - mayRemove: Whether a backup beyond `count` may be removed: one that has accounts must not make
  ///     room for one that has none.
  /// - Returns: The removed files, and those that were kept because of `mayRemove`.
  package func remove(
    beyond count: Int, keeping new: String, _ mayRemove: (String) -> Bool
  ) throws -> (removed: [String], kept: [String]) {
    let others = try FileManager.default.contentsOfDirectory(atPath: folder)
      .filter(Self.isName).sorted(by: >).map { folder + "/" + $0 }.filter { $0 != new }
    let old = others.dropFirst(count - 1)
    let removed = old.filter(mayRemove)
    for path in removed { try FileManager.default.removeItem(atPath: path) }
    return (removed, old.filter { !removed.contains($0) })
  }

  private static func isName(_ name: String) -> Bool {
    name.wholeMatch(of: /gatehouse-[0-9]{8}T[0-9]{6}Z\.sqlite/) != nil
  }

  /// A file that `DatabaseBackup` hasn't completed, and SQLite's journal of it.
  private static func isUnfinished(_ name: String) -> Bool {
    name.wholeMatch(of: /gatehouse-[0-9]{8}T[0-9]{6}Z\.sqlite\.part(-journal)?/) != nil
  }
}

/// The text of a master key's id for people to read.
package enum MasterKeyName {
  /// Eight hexadecimal digits; `unknown` for a database that names none.
  package static func of(_ id: [UInt8]?) -> String {
    id.map { Hexadecimal.text($0) } ?? "unknown"
  }
}
