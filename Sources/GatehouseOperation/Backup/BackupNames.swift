package import Foundation
import GatehouseModel

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

  /// Removes the oldest backups beyond `count`, and no other files.
  ///
  /// - Parameters:
  ///   - count: At least 1.
  ///   - new: The backup that was just made. It stays, and counts as the newest one, also if the names of
  ///     others are from a time when the clock was ahead.
  /// - Returns: The removed files.
  package func remove(beyond count: Int, keeping new: String) throws -> [String] {
    let others = try FileManager.default.contentsOfDirectory(atPath: folder)
      .filter(Self.isName).sorted(by: >).map { folder + "/" + $0 }.filter { $0 != new }
    let old = Array(others.dropFirst(count - 1))
    for path in old { try FileManager.default.removeItem(atPath: path) }
    return old
  }

  private static func isName(_ name: String) -> Bool {
    name.wholeMatch(of: /gatehouse-[0-9]{8}T[0-9]{6}Z\.sqlite/) != nil
  }
}

/// The text of a master key's id for people to read.
package enum MasterKeyName {
  /// Eight hexadecimal digits; `unknown` for a database that an older version created.
  package static func of(_ id: [UInt8]?) -> String {
    id.map { Hexadecimal.text($0) } ?? "unknown"
  }
}
