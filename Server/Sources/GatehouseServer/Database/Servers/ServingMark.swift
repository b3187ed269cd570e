import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A file in the data folder. It shows commands that a server runs, and which master keys it holds.
///
/// The server locks it (`flock(2)`), and the system releases the lock when the server ends, however
/// it ends. A file without a lock is left over, and the command that finds it removes it. The file
/// contains no secrets. The mark works only within one machine: locks on a shared disk may not be
/// visible.
package final class ServingMark: Sendable {
  private let descriptor: Int32
  private let path: String

  /// What a server writes into its file.
  package struct Contents: Hashable, Sendable, Codable {
    package var process: Int32
    /// The ids of the master keys that it holds, in hexadecimal.
    package var masterKeys: [String]

    package init(process: Int32, masterKeys: [String]) {
      self.process = process
      self.masterKeys = masterKeys
    }
  }

  private static let prefix = "serving-"
  private static let suffix = ".lock"
  /// The file is always written whole, so that no command reads a part of it.
  private static let byteCount = 4096

  /// Creates the file and locks it.
  ///
  /// - Throws: `CocoaError` or `POSIXError` if the folder can't be written to.
  package static func make(in folder: String, _ contents: Contents) throws -> ServingMark {
    var generator = SystemRandomNumberGenerator()
    let name = prefix + String(generator.next() as UInt64, radix: 16) + suffix
    let path = folder + "/" + name
    // It gets its name when it is locked and written: a command removes a file that isn't locked.
    let draft = path + ".new"
    let descriptor = unsafe open(draft, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
    let mark = ServingMark(descriptor: descriptor, path: path)
    do {
      guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
        throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
      }
      try mark.write(contents)
      guard unsafe rename(draft, path) == 0 else {
        throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
      }
    } catch {
      _ = unsafe unlink(draft)
      throw error
    }
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

  /// Removes the file when the server ends. The lock is released with the process or this object.
  package func remove() { _ = unsafe unlink(path) }

  /// The servers that now run on the data folder.
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
