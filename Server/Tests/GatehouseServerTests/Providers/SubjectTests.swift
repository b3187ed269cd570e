import GatehouseServer
import Testing

@Suite struct SubjectTests {
  @Test func `a subject may be 255 bytes and no more`() {
    #expect(Subject(String(repeating: "s", count: 255)) != nil)
    #expect(Subject(String(repeating: "s", count: 256)) == nil)
    #expect(Subject(String(repeating: "\u{E9}", count: 128)) == nil)
  }

  @Test(arguments: ["", "a\u{0}b", "\u{0}"])
  func `an empty subject or one with a NUL is refused`(text: String) {
    #expect(Subject(text) == nil)
  }
}
