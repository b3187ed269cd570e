import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A file in the data folder by which a running server tells commands that it is there, and which
/// master keys it holds.
///
/// The server has it locked (`flock(2)`), and the system lets go of the lock when the server ends,
/// however it ends: a file that nobody has locked is left over, and is removed by who finds it.
/// Holds nothing secret. Within one machine: a shared disk's locks may not tell.
package final class ServingMark: Sendable {
  private let descriptor: Int32
  private let path: String

  /// What a server says of itself.
  package struct Contents: Hashable, Sendable, Codable {
    package var process: Int32
    /// Of the master keys that it holds, in hexadecimal.
    package var masterKeys: [String]

    package init(process: Int32, masterKeys: [String]) {
      self.process = process
      self.masterKeys = masterKeys
    }
  }

  private static let prefix = "serving-"
  private static let suffix = ".lock"
  /// Always written whole, so that nobody reads a half.
  private static let byteCount = 4096

  /// Makes the file and locks it.
  ///
  /// - Throws: `CocoaError` or `POSIXError` if the folder can't be written to.
  package static func make(in folder: String, _ contents: Contents) throws -> ServingMark {
    var generator = SystemRandomNumberGenerator()
    let name = prefix + String(generator.next() as UInt64, radix: 16) + suffix
    let path = folder + "/" + name
    let descriptor = unsafe open(path, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0o600)
    guard descriptor >= 0, flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
    }
    let mark = ServingMark(descriptor: descriptor, path: path)
    try mark.write(contents)
    return mark
  }

  private init(descriptor: Int32, path: String) {
    self.descriptor = descriptor
    self.path = path
  }

  deinit { close(descriptor) }

  package func write(_ contents: Contents) throws {
    var bytes = try JSONEncoder().encode(contents)
    guard bytes.count <= Self.byteCount else { throw POSIXError(.EFBIG) }
    bytes += Data(repeating: UInt8(ascii: " "), count: Self.byteCount - bytes.count)
    let written = unsafe bytes.withUnsafeBytes { buffer in
      unsafe pwrite(descriptor, buffer.baseAddress, buffer.count, 0)
    }
    guard written == Self.byteCount else { throw POSIXError(.EIO) }
  }

  /// The server is gone. The lock itself goes with the process or this object.
  package func remove() { _ = unsafe unlink(path) }

  /// The servers that run on the data folder now.
  package static func running(in folder: String) -> [Contents] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return names.sorted().filter { $0.hasPrefix(prefix) && $0.hasSuffix(suffix) }
      .compactMap { name in
        let path = folder + "/" + name
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        if flock(descriptor, LOCK_SH | LOCK_NB) == 0 {
          _ = unsafe unlink(path)
          return nil
        }
        let data = (try? Data(contentsOf: URL(fileURLWithPath: path))) ?? Data()
        return (try? JSONDecoder().decode(Contents.self, from: data))
          ?? Contents(process: 0, masterKeys: [])
      }
  }
}
