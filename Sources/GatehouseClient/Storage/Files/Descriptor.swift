import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// An open file. It is closed when this value ends.
struct Descriptor: ~Copyable {
  let number: Int32

  /// - Returns: Nil for a negative number, which means that the system call failed. `errno` stays
  ///   unchanged.
  init?(_ number: Int32) {
    guard number >= 0 else { return nil }
    self.number = number
  }

  deinit {
    let code = errno
    close(number)
    errno = code
  }

  /// The file's attributes. Nil after an error, with `errno` set.
  var status: stat? {
    var status = stat()
    return unsafe fstat(number, &status) == 0 ? status : nil
  }

  /// Reads to the end of the file, but no more than `limit` bytes. Nil after an error, with `errno`
  /// set.
  func bytes(atMost limit: Int) -> Data? {
    var bytes = Data()
    var part = [UInt8](repeating: 0, count: 1 << 14)
    while bytes.count < limit {
      let wanted = min(part.count, limit - bytes.count)
      let count = unsafe part.withUnsafeMutableBytes {
        unsafe read(number, $0.baseAddress, wanted)
      }
      if count == 0 { break }
      if count < 0 {
        if errno == EINTR { continue }
        return nil
      }
      bytes.append(contentsOf: part[..<count])
    }
    return bytes
  }

  /// - Returns: Whether all bytes were written; otherwise `errno` is set.
  func write(_ data: Data) -> Bool {
    var rest = Array(data)[...]
    while !rest.isEmpty {
      let count = unsafe rest.withUnsafeBytes { bytes in
        #if canImport(Glibc)
          unsafe Glibc.write(number, bytes.baseAddress, bytes.count)
        #elseif canImport(Musl)
          unsafe Musl.write(number, bytes.baseAddress, bytes.count)
        #else
          unsafe Darwin.write(number, bytes.baseAddress, bytes.count)
        #endif
      }
      if count < 0 {
        if errno == EINTR { continue }
        return false
      }
      rest = rest.dropFirst(count)
    }
    return true
  }

  /// Returns whether the data is on the disk; otherwise `errno` is set.
  func synchronize() -> Bool {
    #if canImport(Darwin)
      // On these systems fsync(2) only writes to the drive's own cache.
      if unsafe fcntl(number, F_FULLFSYNC) == 0 { return true }
    #endif
    return fsync(number) == 0
  }
}
