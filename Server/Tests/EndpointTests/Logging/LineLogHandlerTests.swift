import Foundation
import GatehouseServer
import Logging
import Testing

@Suite struct LineLogHandlerTests {
  @Test(arguments: [
    ("plain — ünïcode", "plain — ünïcode"),
    ("one\ntwo", #"one\u{a}two"#),
    ("one\r\ntwo", #"one\u{d}\u{a}two"#),
    ("\u{1B}[2J\u{7F}\u{9B}", #"\u{1b}[2J\u{7f}\u{9b}"#),
    ("a\u{2028}b\u{202E}c\u{2066}d", #"a\u{2028}b\u{202e}c\u{2066}d"#),
  ])
  func `an entry is one line, whatever it quotes`(_ message: String, _ shown: String) throws {
    let text = try written(.text) { $0.info("\(message)") }
    #expect(text.hasSuffix(" info \(shown)\n"))
    #expect(text.filter { $0 == "\n" }.count == 1)
  }

  @Test func `a value with spaces, quotation marks or line feeds can't look like further fields`()
    throws
  {
    let text = try written(.text) {
      $0.info(
        "first",
        metadata: ["uid": "a b=\"c\"", "issuer": "https://example.com\n2026 error: forged"])
    }
    #expect(
      text.hasSuffix(
        #" issuer="https://example.com\u{a}2026 error: forged" uid="a b=\"c\"""# + "\n")
    )
  }

  @Test func `members of members have names with dots, or are objects in JSON`() throws {
    let metadata: Logger.Metadata = [
      "details": ["from.name": "a", "to.name": "b"], "status": .stringConvertible(200),
      "duration_ms": .stringConvertible(1.5),
    ]
    let text = try written(.text) { $0.warning("changed", metadata: metadata) }
    #expect(
      text.hasSuffix(
        " warning changed details.from.name=a details.to.name=b duration_ms=1.5 status=200\n"))
    let json = try written(.json) { $0.warning("changed", metadata: metadata) }
    let object = try #require(
      try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any])
    #expect(object["level"] as? String == "warning")
    #expect(object["message"] as? String == "changed")
    #expect(object["status"] as? Int == 200)
    #expect(object["duration_ms"] as? Double == 1.5)
    #expect((object["details"] as? [String: String])?["to.name"] == "b")
  }

  @Test func `in JSON, text that disturbs a terminal is escaped too`() throws {
    let json = try written(.json) { $0.info("a\u{202E}b\n") }
    let object = try #require(
      try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any])
    #expect(object["message"] as? String == #"a\u{202e}b\u{a}"#)
  }

  @Test func `the level may change while loggers exist, except of those with their own`() throws {
    let level = LogLevel(.info)
    let pipe = Pipe()
    let logger = Logger(label: "test") { _ in
      LineLogHandler(.text, level, to: LogStream(pipe.fileHandleForWriting))
    }
    var quiet = logger
    quiet.logLevel = .warning
    logger.debug("before")
    level.set(.debug)
    logger.debug("after")
    quiet.debug("never")
    try pipe.fileHandleForWriting.close()
    let text = String(
      decoding: try #require(try pipe.fileHandleForReading.readToEnd()), as: UTF8.self)
    #expect(text.hasSuffix(" debug after\n"))
    #expect(text.filter { $0 == "\n" }.count == 1)
  }

  private func written(_ format: LogFormat, _ body: (Logger) -> Void) throws -> String {
    let pipe = Pipe()
    let logger = Logger(label: "test") { _ in
      LineLogHandler(format, LogLevel(.info), to: LogStream(pipe.fileHandleForWriting))
    }
    body(logger)
    try pipe.fileHandleForWriting.close()
    return String(
      decoding: try pipe.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
  }
}
