package import Foundation
import GRDB
package import GatehouseAccounts

/// Copies a database while servers write to it.
///
/// SQLite's `VACUUM INTO` in one reading transaction: the copy is the database as it was at one
/// moment, holds everything that was acknowledged before, and nothing of what was deleted. Writers
/// go on; the log grows until the copy is made. The copy is one file, which opens by itself.
package enum DatabaseBackup {
  /// Writes the copy beside `path` under a passing name, reads it through, waits until it is on the
  /// disk, and only then gives it its name: a file of that name is whole. Mode 0600.
  ///
  /// - Returns: What the copy says of itself.
  /// - Throws: `StoreError.unavailable` if it can't be read or written, `StoreError.damaged` if the
  ///   database is.
  package static func make(
    of folder: URL, at path: String
  ) throws(StoreError) -> DatabaseFile.Facts {
    let part = path + ".part"
    Files.remove(part)
    try Files.make(part)
    do {
      try DatabaseFile(in: folder).read { database in
        try database.execute(sql: "VACUUM INTO ?", arguments: [part])
      }
      let copy = DatabaseFile(part)
      let facts = try copy.facts()
      if let damage = try copy.damage(thoroughly: false).first {
        throw StoreError.damaged("the copy is damaged: \(damage)")
      }
      try Files.sync(part)
      try Files.rename(part, to: path)
      try Files.sync(URL(fileURLWithPath: path).deletingLastPathComponent().path)
      return facts
    } catch {
      Files.remove(part)
      throw StoreError.of(error)
    }
  }
}
