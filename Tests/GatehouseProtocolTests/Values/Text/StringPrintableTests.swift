import GatehouseProtocol
import Testing

@Suite struct StringPrintableTests {
  @Test(arguments: [
    ("Anna Müller 👋", "Anna Müller 👋"), ("\u{1B}[2J", "\\u{1b}[2J"), ("a\nb", "a\\u{a}b"),
    ("\u{202E}gnp", "\\u{202e}gnp"), ("\u{2028}", "\\u{2028}"),
  ]) func `characters that a terminal would obey are escaped`(_ text: String, _ shown: String) {
    #expect(text.printable == shown)
  }
}
