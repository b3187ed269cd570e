import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Finds out why nothing can be written to the data folder, and what to do about it.
///
/// Use it after a failure: the database's own error says less than the system's.
package enum FolderTrial {
  /// More than the last block of a full disk may still hold.
  private static let byteCount = 64 * 1024

  /// Tries to write a file to the folder, or to the nearest one above it that exists.
  ///
  /// - Returns: What is wrong, with a remedy; nil if the file could be written.
  package static func fault(in folder: String) -> String? {
    var place = URL(fileURLWithPath: folder, isDirectory: true).standardizedFileURL
    var code = write(to: place.path)
    while code == ENOENT, place.path != "/" {
      place = place.deletingLastPathComponent()
      code = write(to: place.path)
    }
    return code == 0 ? nil : remedy(code, in: place.path)
  }

  /// - Parameters:
  ///   - code: The system's error number (errno(3)).
  ///   - user: The user id that could not write.
  package static func remedy(_ code: Int32, in folder: String, user: UInt32 = geteuid()) -> String {
    switch code {
    case ENOSPC:
      "the disk that holds \(folder) is full. Make room (df -h \(folder)), or name a folder on "
        + "another disk with --data"
    case EDQUOT:
      "the disk quota of user \(user) in \(folder) is used up. Raise it, or make room"
    case EROFS:
      "\(folder) is on a file system that is mounted read-only. Mount it for writing, or name "
        + "another folder with --data (in a container: a volume)"
    case EACCES, EPERM:
      "user \(user) may not write to \(folder). Run this as the folder's owner, or run: chown "
        + "\(user) \(folder) && chmod 700 \(folder)"
    case EFBIG:
      "the system's limit on the size of files is too small for a database. Raise it (ulimit -f)"
    case EMFILE, ENFILE:
      "too many files are open. Raise the limit (ulimit -n)"
    case ENOTDIR:
      "\(folder) is not a folder. Name another with --data"
    default:
      "\(folder) can't be written to (\(message(code))). Look at the disk and at the system's log"
    }
  }

  private static func message(_ code: Int32) -> String {
    POSIXErrorCode(rawValue: code).map { POSIXError($0).localizedDescription } ?? "error \(code)"
  }

  /// - Returns: 0, or the system's error number.
  private static func write(to folder: String) -> Int32 {
    var generator = SystemRandomNumberGenerator()
    let name = "/.gatehouse-" + String(generator.next() as UInt64, radix: 16)
    let path = folder + name
    let descriptor = unsafe open(path, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { return errno }
    defer {
      close(descriptor)
      unsafe unlink(path)
    }
    let bytes = [UInt8](repeating: 0, count: byteCount)
    let written = unsafe bytes.withUnsafeBytes { buffer in
      unsafe pwrite(descriptor, buffer.baseAddress, buffer.count, 0)
    }
    if written < 0 { return errno }
    // A partial write: there was no room for the rest. Another byte makes the system report the
    // reason.
    if written < byteCount {
      let next = unsafe bytes.withUnsafeBytes { buffer in
        unsafe pwrite(descriptor, buffer.baseAddress, 1, off_t(written))
      }
      return next < 0 ? errno : ENOSPC
    }
    return fsync(descriptor) == 0 ? 0 : errno
  }
}
