import Foundation
import Synchronization
import Testing

/// A program in `Clients`, in the environment that `scripts/python-environment` creates. Its first line
/// is JSON; when its standard input ends, it writes a second line and ends.
final class PythonProgram {
  private let process = Process()
  private let input = Pipe()
  private let output: LineReader

  /// - Throws: ``PythonFailure`` if there is no environment.
  init(_ name: String, _ arguments: [String]) throws {
    let path =
      ProcessInfo.processInfo.environment["GATEHOUSE_PYTHON"]
      ?? Self.repository + "/.build/python/bin/python"
    guard FileManager.default.isExecutableFile(atPath: path) else {
      throw PythonFailure("There is no Python at \(path). Run: scripts/python-environment")
    }
    let pipe = Pipe()
    output = LineReader(pipe.fileHandleForReading)
    process.executableURL = URL(fileURLWithPath: path)
    process.arguments = ["\(Self.clients)/\(name)"] + arguments
    process.environment = ["PYTHONDONTWRITEBYTECODE": "1"]
    process.standardInput = input
    process.standardOutput = pipe
    try process.run()
  }

  // The programs end with their input.
  deinit { try? input.fileHandleForWriting.close() }

  /// The next line as JSON.
  func answer<Value: Decodable>(_ type: Value.Type) async throws -> Value {
    try JSONDecoder().decode(type, from: await output.next())
  }

  /// Ends the program's input.
  func finish() throws { try input.fileHandleForWriting.close() }

  /// Runs a program to its end.
  ///
  /// - Throws: ``PythonFailure`` with its output if the exit status isn't 0.
  static func run(_ name: String, _ arguments: [String]) async throws -> String {
    let program = try PythonProgram(name, arguments)
    try program.finish()
    let text = String(decoding: await program.output.rest(), as: UTF8.self)
    program.process.waitUntilExit()
    guard program.process.terminationStatus == 0 else { throw PythonFailure(text) }
    return text
  }

  /// `<repository>/Server/Tests/GatehouseServerTests/Mail/PythonProgram.swift`.
  static let repository = (0..<5).reduce(URL(fileURLWithPath: #filePath)) { url, _ in
    url.deletingLastPathComponent()
  }.path
  private static let clients = repository + "/Server/Tests/GatehouseServerTests/Mail/Clients"
}

struct PythonFailure: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}

/// Reads lines on a thread of its own: reading blocks.
private final class LineReader: Sendable {
  private let queue = DispatchQueue(label: "gatehouse.tests.lines")
  private let state: Mutex<(file: FileHandle, buffer: Data)>

  init(_ file: sending FileHandle) { state = Mutex((file, Data())) }

  /// Without its end; empty at the end of the output.
  func next() async -> Data {
    await withCheckedContinuation { continuation in
      queue.async {
        continuation.resume(
          returning: self.state.withLock { state in
            while true {
              if let end = state.buffer.firstIndex(of: UInt8(ascii: "\n")) {
                let line = Data(state.buffer[..<end])
                state.buffer = Data(state.buffer[(end + 1)...])
                return line
              }
              let more = state.file.availableData
              if more.isEmpty { return Data() }
              state.buffer += more
            }
          })
      }
    }
  }

  func rest() async -> Data {
    await withCheckedContinuation { continuation in
      queue.async {
        continuation.resume(
          returning: self.state.withLock { $0.buffer + $0.file.readDataToEndOfFile() })
      }
    }
  }
}
