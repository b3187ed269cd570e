import Foundation
import GatehouseUserFiles
import GatehouseWire

/// Writes users to a file that gets its name only when it is complete.
final class UserFileWriter {
  let path: String
  private(set) var count = 0
  private(set) var leftOut: Set<String> = []
  private let format: UserFileFormat
  private let file: FileHandle
  private var buffer: [UInt8] = []

  private static let bufferBytes = 1 << 20

  private var partial: String { path + ".partial" }

  /// - Throws: ``CommandFailure`` if the file exists, or can't be created.
  init(_ path: String, _ format: UserFileFormat) throws {
    guard !FileManager.default.fileExists(atPath: path) else {
      throw CommandFailure("\(path) exists already: move it away, or name another file")
    }
    self.path = path
    self.format = format
    file = try Self.create(path + ".partial")
    if format == .json { buffer = Array("{\"users\": [".utf8) }
  }

  /// Creates a private file: it contains users' data, and may contain their password hashes.
  static func create(_ path: String) throws -> FileHandle {
    guard let file = PrivateFile.begin(path) else {
      throw CommandFailure("\(path): can't be written; may this user write there?")
    }
    return file
  }

  func add(_ user: ExportedUser) throws {
    switch format {
    case .json:
      buffer += Array((count == 0 ? "\n" : ",\n").utf8) + user.json
    case .csv:
      buffer += user.csv(leftOut: &leftOut) + [UInt8(ascii: "\n")]
    }
    count += 1
    if buffer.count >= Self.bufferBytes { try flush() }
  }

  func finish() throws {
    if format == .json { buffer += Array("\n]}\n".utf8) }
    try flush()
    try file.synchronize()
    try file.close()
    try FileManager.default.moveItem(atPath: partial, toPath: path)
  }

  private func flush() throws {
    try file.write(contentsOf: Data(buffer))
    buffer.removeAll(keepingCapacity: true)
  }
}
