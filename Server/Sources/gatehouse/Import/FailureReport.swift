import Foundation
import GatehouseProtocol

/// Reports rows that weren't imported: all of them in a file, the first ones also on standard
/// error.
struct FailureReport {
  let path: String
  private(set) var count = 0
  private var file: FileHandle?

  private static let shown = 20

  /// - Parameter path: The file, which is created at the first failure. An existing file is
  ///   replaced.
  init(_ path: String) { self.path = path }

  /// - Parameter uid: The user id as it is in the imported file.
  mutating func add(line: Int, uid: String?, _ message: String) throws {
    count += 1
    let name = uid.map { "\(String($0.prefix(UID.maximumBytes)).printable): " } ?? ""
    let text = "line \(line): \(name)\(message)"
    if count <= Self.shown { Terminal.note(text) }
    if count == Self.shown + 1 { Terminal.note("… the rest is in \(path)") }
    if file == nil { file = try open() }
    try file?.write(contentsOf: Data((text + "\n").utf8))
  }

  private func open() throws -> FileHandle {
    // The file contains user ids.
    guard let file = PrivateFile.begin(path) else {
      throw CommandFailure("\(path): can't be written; name another file with --failures")
    }
    return file
  }
}
