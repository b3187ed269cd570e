import GatehouseProtocol
import Testing

@Suite struct JSONReadingTests {
  private func code(_ text: String, limits: JSONLimits = .standard) -> JSONError.Code? {
    code(Array(text.utf8), limits: limits)
  }

  private func code(_ bytes: [UInt8], limits: JSONLimits = .standard) -> JSONError.Code? {
    do throws(JSONError) {
      _ = try JSONValue(parsing: bytes, limits: limits)
      return nil
    } catch {
      return error.code
    }
  }

  @Test(
    arguments: [
      ("null", .null), (" true ", true), ("\t\n\r false", false), ("\"\"", ""), ("[]", []),
      ("{}", [:]), ("[1,[2],{\"a\":[]}]", [1, [2], ["a": []]]), ("{\"\":0}", ["": 0]),
      ("\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"", "\"\\/\u{8}\u{C}\n\r\t"),
      ("\"\\u0041\\u00e9\"", "A\u{e9}"),
      ("\"\\ud83d\\ude00\"", "\u{1F600}"), ("\"é\\né\"", "é\né"), ("\"\\u0000\"", "\u{0}"),
      ("\"\u{7F}\"", "\u{7F}"), ("{\"a\":1,\"b\":2}", ["a": 1, "b": 2]),
    ] as [(String, JSONValue)])
  func `values are read`(text: String, value: JSONValue) throws {
    #expect(try JSONValue(parsing: text) == value)
  }

  @Test(
    arguments: [
      ("", .unexpectedEnd), (" ", .unexpectedEnd), ("[", .unexpectedEnd),
      ("{\"a\"", .unexpectedEnd),
      ("\"a", .unexpectedEnd), ("tru", .unexpectedEnd), ("\"\\", .unexpectedEnd),
      ("\"\\u12", .unexpectedEnd), ("-", .unexpectedEnd), ("1e", .unexpectedEnd),
      ("]", .unexpectedByte), ("[1,]", .unexpectedByte), ("[,1]", .unexpectedByte),
      ("{\"a\":1,}", .unexpectedByte), ("{a:1}", .unexpectedByte), ("{1:1}", .unexpectedByte),
      ("{\"a\" 1}", .unexpectedByte), ("[1 2]", .unexpectedByte), ("True", .unexpectedByte),
      ("nul!", .unexpectedByte), ("'a'", .unexpectedByte), ("NaN", .unexpectedByte),
      ("+1", .unexpectedByte), (".5", .unexpectedByte), ("\u{FEFF}1", .unexpectedByte),
      ("/**/1", .unexpectedByte), ("1 2", .trailingBytes), ("{}{}", .trailingBytes),
      ("01", .invalidNumber), ("-01", .invalidNumber), ("1.x", .invalidNumber),
      ("1ex", .invalidNumber), ("-x", .invalidNumber), ("0x1", .trailingBytes),
      ("\"\\x\"", .invalidEscape), ("\"\\u12G4\"", .invalidEscape), ("\"\\u+123\"", .invalidEscape),
      ("\"\\ud800\"", .loneSurrogate), ("\"\\ud800\\n\"", .loneSurrogate),
      ("\"\\ud800\\ud800\"", .loneSurrogate), ("\"\\udc00\"", .loneSurrogate),
      ("\"\\ud800\\u0041\"", .loneSurrogate), ("\"\n\"", .controlCharacter),
      ("\"\u{0}\"", .controlCharacter), ("\"a\\n\u{1F}\"", .controlCharacter),
      ("{\"a\":1,\"a\":1}", .duplicateMember), ("{\"a\":1,\"\\u0061\":1}", .duplicateMember),
      ("[{\"b\":{\"a\":1,\"a\":2}}]", .duplicateMember),
    ] as [(String, JSONError.Code)])
  func `text that RFC 8259 doesn't allow is refused`(text: String, expected: JSONError.Code) {
    #expect(code(text) == expected)
  }

  @Test(
    arguments: [
      [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0x80], [0xC3], [0xE2, 0x82],
      [0xFF], [0xF8, 0x88, 0x80, 0x80, 0x80],
      // U+FFFD, which would replace these three bytes, has three bytes too.
      [0xF0, 0x90, 0x80],
    ] as [[UInt8]])
  func `text that isn't UTF-8 is refused`(bytes: [UInt8]) {
    let quote = UInt8(ascii: "\"")
    #expect(code([quote] + bytes + [quote]) == .invalidUTF8)
    #expect(code([quote] + Array("\\n".utf8) + bytes + [quote]) == .invalidUTF8)
    #expect(code([quote] + bytes + Array("\\n".utf8) + [quote]) == .invalidUTF8)
  }

  @Test func `the character that replaces malformed text is itself read`() throws {
    #expect(try JSONValue(parsing: "\"a\u{FFFD}\"") == .string("a\u{FFFD}"))
  }

  @Test func `the error for a duplicate has its name and offset`() {
    #expect(throws: JSONError(.duplicateMember, offset: 7, member: "a")) {
      try JSONValue(parsing: "{\"a\":1,\"a\":2}")
    }
  }

  @Test func `names that are only canonically equal are different`() throws {
    let object = try JSONObject(
      parsing: "{\"caf\u{e9}\":1,\"cafe\u{301}\":2,\"K\":3,\"\u{212A}\":4}")
    #expect(object.count == 4)
    #expect(object["cafe\u{301}"] == 2)
    #expect(object["\u{212A}"] == 4)
  }

  @Test func `a duplicate among many members is found`() throws {
    let many = (0..<5_000).map { "\"k\($0)\":\($0)" }.joined(separator: ",")
    #expect(try JSONObject(parsing: "{\(many)}").count == 5_000)
    #expect(code("{\(many),\"k4999\":0}") == .duplicateMember)
    #expect(code("{\(many),\"k0\":0}") == .duplicateMember)
  }

  @Test(arguments: ["[", "{\"a\":", "[[{\"a\":"])
  func `ten thousand levels are refused, whatever the limit says`(opening: String) {
    let deep = String(repeating: opening, count: 10_000)
    #expect(code(deep) == .tooDeep)
    #expect(code(deep, limits: JSONLimits(depth: .max)) == .tooDeep)
  }

  @Test func `each limit is exact`() {
    #expect(code("[[]]", limits: JSONLimits(depth: 2)) == nil)
    #expect(code("[[[]]]", limits: JSONLimits(depth: 2)) == .tooDeep)
    #expect(code("[1]", limits: JSONLimits(bytes: 3)) == nil)
    #expect(code("[1] ", limits: JSONLimits(bytes: 3)) == .tooManyBytes)
    #expect(code("[1,{\"a\":1}]", limits: JSONLimits(values: 3)) == nil)
    #expect(code("[1,{\"a\":1,\"b\":1}]", limits: JSONLimits(values: 3)) == .tooManyValues)
    #expect(code("\"abc\"", limits: JSONLimits(stringBytes: 3)) == nil)
    #expect(code("\"abcd\"", limits: JSONLimits(stringBytes: 3)) == .stringTooLong)
    #expect(code("\"\\n\\n\"", limits: JSONLimits(stringBytes: 3)) == .stringTooLong)
    #expect(code("123", limits: JSONLimits(numberBytes: 3)) == nil)
    #expect(code("1234", limits: JSONLimits(numberBytes: 3)) == .numberTooLong)
    #expect(code("1.234", limits: JSONLimits(numberBytes: 3)) == .numberTooLong)
  }

  /// Swift sorts them when it compares two strings, in quadratic time.
  @Test func `at most 256 combining characters may follow each other, written in any way`() {
    func text(_ count: Int, _ accent: String = "\u{345}") -> String {
      "\"e" + String(repeating: accent, count: count) + "\""
    }
    #expect(code(text(256)) == nil)
    #expect(code(text(257)) == .tooManyCombiningCharacters)
    #expect(code(text(256, "\\u0345")) == nil)
    #expect(code(text(257, "\\u0345")) == .tooManyCombiningCharacters)
    #expect(code("[" + text(256) + "," + text(256) + "]") == nil)
    #expect(code("{" + text(257) + ":1}") == .tooManyCombiningCharacters)
    // A letter between them separates them.
    #expect(code(text(500, "e\u{345}")) == nil)
  }

  @Test func `another kind of value is refused where an object is required`() {
    #expect(throws: JSONError(.notAnObject, offset: 0)) { try JSONObject(parsing: "[]") }
  }
}
