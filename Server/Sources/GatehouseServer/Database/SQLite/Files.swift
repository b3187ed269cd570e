import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// POSIX calls, with errors that name the file.
package enum Files {
  /// Creates an empty file that only its owner can access.
  ///
  /// - Parameter model: A file or folder. If this is the superuser, the new file gets its owner.
  /// - Throws: `StoreError.unavailable`, also if the file exists.
  static func make(_ path: String, ownedLike model: String? = nil) throws(StoreError) {
    let descriptor = unsafe open(path, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw failure("created", path) }
    defer { close(descriptor) }
    guard geteuid() == 0, let model, let attributes = attributes(of: model),
      let user = attributes[.ownerAccountID] as? NSNumber,
      let group = attributes[.groupOwnerAccountID] as? NSNumber
    else { return }
    // Not by the path: meanwhile the owner of the folder may have put a link there.
    guard fchown(descriptor, user.uint32Value, group.uint32Value) == 0 else {
      throw failure("given its owner", path)
    }
  }

  /// Waits until the file, or a folder's directory entries, are on the disk.
  static func sync(_ path: String) throws(StoreError) {
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw failure("read", path) }
    defer { close(descriptor) }
    guard fsync(descriptor) == 0 else { throw failure("written to the disk", path) }
  }

  /// Renames the file, and replaces a file that has the new name.
  static func rename(_ old: String, to new: String) throws(StoreError) {
    guard Self.renamed(old, new) == 0 else { throw failure("put in place", new) }
  }

  /// Gives the file a second name.
  static func link(_ path: String, as other: String) throws(StoreError) {
    guard Self.linked(path, other) == 0 else { throw failure("created", other) }
  }

  /// In bytes; 0 if there is no file. Of its target, if it is a symbolic link.
  package static func size(of path: String) -> Int64 {
    (attributes(of: path)?[.size] as? NSNumber)?.int64Value ?? 0
  }

  private static func attributes(of path: String) -> [FileAttributeKey: Any]? {
    let target = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
    return try? FileManager.default.attributesOfItem(atPath: target)
  }

  static func hasBytes(_ path: String) -> Bool { size(of: path) > 0 }

  /// Whether the file is long enough for the header of a database (SQLite's file format, §1.3). SQLite takes a
  /// shorter one for a new database, and removes the log beside it.
  package static func hasHeader(_ path: String) -> Bool { size(of: path) >= 100 }

  static func remove(_ path: String) { _ = unsafe unlink(path) }

  private static func failure(_ what: String, _ path: String) -> StoreError {
    .unavailable("\(path) can't be \(what): \(unsafe String(cString: strerror(errno)))")
  }

  private static func renamed(_ old: String, _ new: String) -> Int32 {
    #if canImport(Glibc)
      unsafe Glibc.rename(old, new)
    #elseif canImport(Musl)
      unsafe Musl.rename(old, new)
    #else
      unsafe Darwin.rename(old, new)
    #endif
  }

  private static func linked(_ path: String, _ other: String) -> Int32 {
    #if canImport(Glibc)
      unsafe Glibc.link(path, other)
    #elseif canImport(Musl)
      unsafe Musl.link(path, other)
    #else
      unsafe Darwin.link(path, other)
    #endif
  }
}
