import Foundation
import Testing

@testable import gatehouse

@Suite struct LineReaderTests {
  private func lines(_ text: String, maximumBytes: Int = 8) throws -> [String] {
    let file = FileManager.default.temporaryDirectory
      .appendingPathComponent("gatehouse-lines-\(UUID().uuidString)")
    try Data(text.utf8).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    let reader = try LineReader(file.path, maximumBytes: maximumBytes)
    var lines: [String] = []
    while let line = reader.next() { lines.append(String(decoding: line, as: UTF8.self)) }
    return lines
  }

  @Test func `the last line may lack a line end`() throws {
    #expect(try lines("one\ntwo\n") == ["one", "two"])
    #expect(try lines("one\ntwo") == ["one", "two"])
    #expect(try lines("") == [])
  }

  @Test func `an empty line is a line`() throws {
    #expect(try lines("\n\na\n") == ["", "", "a"])
  }

  @Test func `a line that is too long is cut off one byte past the limit`() throws {
    #expect(try lines("12345678\n123456789abc\nnext\n") == ["12345678", "123456789", "next"])
  }

  @Test func `a line may be longer than one read`() throws {
    let long = String(repeating: "a", count: 70_000)
    #expect(try lines("\(long)\nb\n", maximumBytes: 100_000) == [long, "b"])
  }

  @Test func `the error for a missing file names the file`() {
    let error = #expect(throws: CommandFailure.self) {
      try LineReader("/nowhere/tokens", maximumBytes: 8)
    }
    #expect(error?.description == "/nowhere/tokens: can't be read; does the file exist?")
  }
}
