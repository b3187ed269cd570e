import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Tells a file that this user may not see from one that isn't there.
enum Permission {
  static func isDenied(_ path: String) -> Bool {
    unsafe access(path, R_OK) != 0 && errno == EACCES
  }

  /// Whether only root can change the file and what is at its place. In a folder with the sticky bit, others can't
  /// replace root's files.
  static func isRootsAlone(_ path: String) -> Bool {
    var (file, folder) = (stat(), stat())
    guard unsafe lstat(path, &file) == 0,
      unsafe stat(URL(fileURLWithPath: path).deletingLastPathComponent().path, &folder) == 0
    else { return false }
    return file.st_mode & S_IFMT == S_IFREG && file.st_uid == 0 && file.st_mode & 0o022 == 0
      && folder.st_uid == 0 && (folder.st_mode & 0o022 == 0 || folder.st_mode & S_ISVTX != 0)
  }

  /// - Throws: ``CommandFailure`` if this user may not read the file, or may not see whether it is there.
  static func check(_ path: String) throws {
    guard isDenied(path) else { return }
    throw CommandFailure("permission denied: \(NSUserName()) can't read \(path). \(remedy)")
  }

  static let remedy =
    "Run the command as the user of the service, such as `sudo -u gatehouse gatehouse …`"
}
