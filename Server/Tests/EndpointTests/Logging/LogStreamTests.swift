import Foundation
import GatehouseServer
import Logging
import Testing

@Suite struct LogStreamTests {
  @Test(arguments: [
    ("plain — ünïcode\n", "plain — ünïcode\n"),
    ("one\ntwo\n", #"one\u{a}two"# + "\n"),
    ("one\r\ntwo", #"one\u{d}\u{a}two"#),
    ("\u{1B}[2J\u{7F}\u{9B}\n", #"\u{1b}[2J\u{7f}\u{9b}"# + "\n"),
    ("a\u{2028}b\u{202E}c\u{2066}d\n", #"a\u{2028}b\u{202e}c\u{2066}d"# + "\n"),
    ("two ends\n\n", #"two ends\u{a}"# + "\n"),
  ])
  func `an entry is one line, whatever it quotes`(_ entry: String, _ line: String) {
    #expect(LogStream.singleLine(entry) == line)
  }

  @Test func `a logger's entry with a line feed in its metadata is one line of the file`() throws {
    let pipe = Pipe()
    var logger = Logger(label: "test") { label in
      StreamLogHandler(label: label, stream: LogStream(pipe.fileHandleForWriting))
    }
    logger.logLevel = .info
    logger.info("first", metadata: ["issuer": "https://example.com\n2026-01-01 error: forged"])
    try pipe.fileHandleForWriting.close()
    let text = String(
      decoding: try #require(try pipe.fileHandleForReading.readToEnd()), as: UTF8.self)
    #expect(text.filter { $0 == "\n" }.count == 1)
    #expect(text.contains(#"example.com\u{a}2026-01-01 error: forged"#))
  }
}
