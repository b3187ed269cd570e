import Foundation

/// Reads a file's lines one after the other. A line that is longer than the limit is cut off one
/// byte past the limit, and the rest of it is skipped.
final class LineReader {
  private let file: FileHandle
  private let maximumBytes: Int
  private var buffer: [UInt8] = []
  private var position = 0
  private var isAtEnd = false

  /// - Parameter path: A file; `-` for standard input.
  init(_ path: String, maximumBytes: Int) throws {
    guard let file = path == "-" ? .standardInput : FileHandle(forReadingAtPath: path) else {
      throw CommandFailure("\(path): can't be read; does the file exist?")
    }
    self.file = file
    self.maximumBytes = maximumBytes
  }

  func next() -> [UInt8]? {
    var line: [UInt8] = []
    while true {
      if position == buffer.count && !fill() { return line.isEmpty ? nil : line }
      let rest = buffer[position...]
      let end = rest.firstIndex(of: UInt8(ascii: "\n"))
      line.append(contentsOf: rest[..<(end ?? rest.endIndex)].prefix(maximumBytes + 1 - line.count))
      position = end.map { $0 + 1 } ?? buffer.count
      if end != nil { return line }
    }
  }

  private func fill() -> Bool {
    guard !isAtEnd, let data = try? file.read(upToCount: 65_536), !data.isEmpty else {
      isAtEnd = true
      return false
    }
    buffer = Array(data)
    position = 0
    return true
  }
}
