import GatehouseProtocol
import Testing

@Suite struct JSONWritingTests {
  private func text(_ body: (inout JSONWriter) -> Void) -> String {
    var writer = JSONWriter()
    body(&writer)
    return String(decoding: writer.bytes, as: UTF8.self)
  }

  @Test func `members and elements are separated`() {
    let written = text {
      $0.object {
        $0.member("a", "x")
        $0.member("b", 1)
        $0.member("c", true)
        $0.member("d", 0.5)
        $0.member("e", ifPresent: nil as String?)
        $0.member("f", ["x", "y"])
        $0.array("g") {
          $0.value(1)
          $0.array { _ in }
          $0.object { _ in }
          $0.null()
        }
        $0.object("h") { $0.member("i", raw: "[1]".utf8) }
        $0.member("j", JSONValue.null)
      }
    }
    #expect(
      written == """
        {"a":"x","b":1,"c":true,"d":0.5,"f":["x","y"],"g":[1,[],{},null],"h":{"i":[1]},"j":null}
        """)
  }

  @Test(arguments: [0, 7, -7, 10, -10, 1_700_000_000, .max, .min] as [Int64])
  func `integers are written exactly`(value: Int64) {
    #expect(text { $0.value(value) } == "\(value)")
  }

  @Test func `every character is the same after writing and reading`() throws {
    let all = String(String.UnicodeScalarView((0..<0x3000).compactMap { Unicode.Scalar($0) }))
    let written = JSONValue.string(all).serialized()
    #expect(try JSONValue(parsing: written) == .string(all))
    #expect(!written.contains { $0 < 0x20 })
    #expect(text { $0.value("\"\\/\u{1}\n\u{7F}é") } == "\"\\\"\\\\/\\u0001\\n\u{7F}é\"")
  }

  @Test(arguments: [0x00, 0x1F, 0x20, 0x21, 0x22, 0x23, 0x5B, 0x5C, 0x5D, 0x7F, 0x80, 0xFF, 0x2022])
  func `a character is escaped or kept at each place of a text`(scalar: UInt32) throws {
    let scalar = try #require(Unicode.Scalar(scalar))
    let escaped: [Unicode.Scalar: String] = [
      "\u{0}": "\\u0000", "\u{1F}": "\\u001f", "\"": "\\\"", "\\": "\\\\",
    ]
    let expected = escaped[scalar] ?? String(Character(scalar))
    for (before, after) in (0...17).flatMap({ before in (0...9).map { (before, $0) } }) {
      let (start, end) = (
        String(repeating: "a", count: before), String(repeating: "é", count: after)
      )
      #expect(
        text { $0.value(start + String(Character(scalar)) + end) }
          == "\"\(start)\(expected)\(end)\"")
    }
  }

  @Test func `infinities become null`() {
    #expect(text { $0.value(Double.infinity) } == "null")
  }

  @Test func `members are sorted by their bytes, at every level`() throws {
    let value = try JSONValue(
      parsing: "{\"é\":1,\"b\":{\"z\":1,\"a\":[{\"y\":1,\"x\":2}]},\"B\":1}")
    #expect(value.text() == "{\"é\":1,\"b\":{\"z\":1,\"a\":[{\"y\":1,\"x\":2}]},\"B\":1}")
    #expect(
      value.text(sortedKeys: true)
        == "{\"B\":1,\"b\":{\"a\":[{\"x\":2,\"y\":1}],\"z\":1},\"é\":1}")
  }
}
