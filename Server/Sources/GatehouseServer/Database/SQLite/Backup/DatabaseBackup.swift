package import Foundation
import GRDB

/// Copies a database while servers write to it.
///
/// Uses SQLite's `VACUUM INTO` in one read transaction. The copy is the database as it was at one
/// moment: it contains everything that was acknowledged before, and nothing that was deleted.
/// Writers go on; the log grows until the copy is finished. The copy is one file, which can be
/// opened without others.
package enum DatabaseBackup {
  /// Writes the copy beside `path` under a temporary name, checks it, syncs it to the disk, and
  /// only then renames it to `path`. So a file with the final name is complete. Mode 0600.
  ///
  /// - Returns: The facts about the copy.
  /// - Throws: `StoreError.unavailable` if the database can't be read or the copy can't be written, or
  ///   if `path` is the database's own; `StoreError.damaged` if either is damaged.
  package static func make(
    of folder: URL, at path: String
  ) throws(StoreError) -> DatabaseFacts {
    // A server would continue to write to the file that was replaced, and its log would be applied to the
    // new one.
    guard resolved(path) != resolved(DatabaseFile(in: folder).path) else {
      throw .unavailable("\(path) is the database itself: name another file for the backup")
    }
    let part = path + ".part"
    // What a killed process left.
    let leftovers = [part, part + "-journal"]
    for file in leftovers { Files.remove(file) }
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
      for file in leftovers { Files.remove(file) }
      throw StoreError.of(error)
    }
  }

  private static func resolved(_ path: String) -> String {
    URL(fileURLWithPath: path).resolvingSymlinksInPath().path
  }
}
