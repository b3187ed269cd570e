import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Files that their owner alone can read, from before anything is in them.
enum PrivateFile {
  /// Writes a file that isn't there yet, and waits until it is on the disk.
  ///
  /// - Throws: `POSIXError` if it can't be made, `.EEXIST` if there is one; what `FileHandle` throws
  ///   if it can't be written.
  static func write(_ contents: Data, toNew path: String) throws {
    let descriptor = unsafe open(path, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
    let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    try file.write(contentsOf: contents)
    try file.synchronize()
    try file.close()
  }

  /// Begins a file, to be written piece by piece. A file that is there is replaced: its permissions,
  /// and whoever has it open, are not the new one's. Nil if it can't be.
  static func begin(_ path: String) -> FileHandle? {
    // Of the path itself, not of what a symbolic link leads to.
    let attributes = try? FileManager.default.attributesOfItem(atPath: path)
    switch attributes?[.type] as? FileAttributeType {
    case nil: break
    case .typeRegular: if unsafe unlink(path) != 0 { return nil }
    // It may lead into a file that others read; /dev/stdout is one as well.
    case .typeSymbolicLink:
      return path.hasPrefix("/dev/") ? FileHandle(forWritingAtPath: path) : nil
    // A device or a pipe is written to.
    default: return FileHandle(forWritingAtPath: path)
    }
    let descriptor = unsafe open(path, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { return nil }
    return FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
  }
}
