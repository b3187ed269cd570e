import Foundation
import GatehouseServer
import GatehouseProtocol

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
    try Self.refuseExisting(path)
    self.path = path
    self.format = format
    guard let file = PrivateFile.begin(path + ".partial") else { throw Self.unwritable(path) }
    self.file = file
    if format == .json { buffer = Array("{\"users\": [".utf8) }
  }

  /// An earlier export may be the only place of its users' password hashes, or of the key to them.
  static func refuseExisting(_ path: String) throws {
    guard !FileManager.default.fileExists(atPath: path) else {
      throw CommandFailure("\(path) exists already: move it away, or name another file")
    }
  }

  static func unwritable(_ path: String) -> CommandFailure {
    CommandFailure("\(path): can't be written; may this user write there?")
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
