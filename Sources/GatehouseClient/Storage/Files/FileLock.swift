import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A lock that threads and processes share. It ends with this value, or with the process.
struct FileLock: ~Copyable {
  private let file: Descriptor

  /// Waits by asking again, as `flock` itself knows no bound.
  ///
  /// - Parameter file: Opened for this lock: `flock` is the opening's, not the process's.
  /// - Throws: `busy`.
  init(_ file: consuming Descriptor, within timeout: Duration) throws(StoreFault) {
    let end = ContinuousClock.now + timeout
    var pauseMicroseconds: UInt32 = 500
    while flock(file.number, LOCK_EX | LOCK_NB) != 0 {
      guard errno == EWOULDBLOCK || errno == EINTR else {
        throw StoreFault(.unwritable, detail: "The file system has no locks")
      }
      guard ContinuousClock.now < end else {
        throw StoreFault(.busy, detail: "Another process holds the store's lock")
      }
      // Not in step with others who wait.
      usleep(UInt32.random(in: pauseMicroseconds / 2...pauseMicroseconds))
      pauseMicroseconds = min(pauseMicroseconds * 2, 20_000)
    }
    self.file = file
  }

  /// Where the lock is let go at the latest: without it the compiler may end a value earlier.
  consuming func release() {}
}
