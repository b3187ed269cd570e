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

  /// - Throws: ``CommandFailure`` if this user may not read the file, or may not see whether it is there.
  static func check(_ path: String) throws {
    guard isDenied(path) else { return }
    throw CommandFailure("permission denied: \(NSUserName()) can't read \(path). \(remedy)")
  }

  static let remedy =
    "Run the command as the user of the service, such as `sudo -u gatehouse gatehouse …`"
}
