import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A lock between threads and processes. It ends with this value, or with the process.
struct FileLock: ~Copyable {
  private let file: Descriptor

  /// Waits by trying repeatedly, because `flock` itself has no timeout.
  ///
  /// - Parameters:
  ///   - file: Opened for this lock only: a `flock` belongs to the opened file, not to the process.
  ///   - timeout: In seconds.
  /// - Throws: `busy` after `timeout`; `unwritable` if the file system doesn't support locks.
  init(_ file: consuming Descriptor, within timeout: TimeInterval) throws(StoreFault) {
    let end = Uptime.seconds + timeout
    var pauseMicroseconds: UInt32 = 500
    while flock(file.number, LOCK_EX | LOCK_NB) != 0 {
      guard errno == EWOULDBLOCK || errno == EINTR else {
        throw StoreFault(.unwritable, detail: "The file system doesn't support locks")
      }
      guard Uptime.seconds < end else {
        throw StoreFault(.busy, detail: "Another process holds the store's lock")
      }
      // Random, so that several waiting processes don't try at the same moments.
      usleep(UInt32.random(in: pauseMicroseconds / 2...pauseMicroseconds))
      pauseMicroseconds = min(pauseMicroseconds * 2, 20_000)
    }
    self.file = file
  }

  /// Marks the end of the lock: without this call the compiler may end the value's lifetime
  /// earlier.
  consuming func release() {}
}
