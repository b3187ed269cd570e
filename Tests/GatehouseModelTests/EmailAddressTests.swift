import GatehouseModel
import Testing

@Suite struct EmailAddressTests {
  @Test func `an address is stored with its letters A to Z folded`() throws {
    #expect(try #require(EmailAddress("Ann.Lee+X@Example.COM")).text == "ann.lee+x@example.com")
  }

  @Test func `two spellings of one address are equal`() {
    #expect(EmailAddress("ANN@example.com") == EmailAddress("ann@EXAMPLE.com"))
  }

  @Test func `the domain is what follows the at sign`() throws {
    #expect(try #require(EmailAddress("ann@mail.example.com")).domain == "mail.example.com")
  }

  @Test(arguments: [
    "\u{212A}ate@example.com",  // KELVIN SIGN, which Unicode folds to k
    "zo\u{EB}@example.com", "zoe\u{308}@example.com", "ann@ex\u{E4}mple.com",
    "ann@example.com\u{0}", "ann lee@example.com", "ann\n@example.com", " ann@example.com",
  ])
  func `a character outside visible ASCII is refused`(text: String) {
    #expect(EmailAddress(text) == nil)
  }

  @Test(arguments: [
    "\u{30C6}\u{30B9}\u{30C8}@example.com",  // Katakana
    "\u{30B9}\u{30BF}\u{30FC}.1@example.com",  // with a long vowel
    "\u{738B}\u{5C0F}\u{660E}@example.com", "\u{D64D}\u{AE38}\u{B3D9}@example.com",
    "\u{645}\u{62D}\u{645}\u{62F}@example.com", "\u{5D3}\u{5D5}\u{5D3}@example.com",
    "\u{4F50}\u{3005}\u{6728}-\u{3042}\u{30A4}@example.com",  // Han, Hiragana and Katakana
    "\u{9AD8}\u{20BB7}@example.com", "\u{91D1}\u{D64D}@example.com",  // rare Han; with Hangul
    "\u{305F}\u{3051}\u{3006}@example.com",  // with the closing mark of names
    "\u{3105}\u{3106}@example.com",  // Bopomofo
    "\u{E2A}\u{E21}\u{E0A}\u{E32}\u{E22}99@example.com",  // Thai
    "\u{915}\u{92E}\u{932}.1@example.com", "\u{995}\u{9AE}\u{9B2}@example.com",  // Hindi; Bangla
    "\u{B95}\u{BAE}\u{BB2}@example.com", "\u{1218}\u{1228}@example.com",  // Tamil; Amharic
    "\u{1000}\u{1001}@example.com", "\u{1780}\u{1781}@example.com",  // Burmese; Khmer
  ])
  func `a local part may have letters of a script without capitals`(text: String) throws {
    #expect(try #require(EmailAddress(text)).text == text)
  }

  @Test(arguments: [
    "\u{430}dmin@example.com",  // a Cyrillic a
    "\u{441}\u{43E}\u{441}\u{43E}@example.com",  // Cyrillic that reads as coco
    "\u{3B1}@example.com", "\u{FB01}@example.com",  // Greek; a ligature
    "a\u{30C6}@example.com",  // with a letter of ASCII
    "\u{FF83}\u{FF7D}\u{FF84}@example.com",  // Katakana of half width
    "\u{30C6}\u{3099}@example.com",  // a mark that could be composed
    "\u{30C6}\u{200B}@example.com", "\u{30C6}\u{202E}@example.com",  // invisible; reordering
    "\u{F900}@example.com",  // an ideograph that Unicode has twice
    "\u{30C6}@\u{30C6}.example", "\u{115F}@example.com",  // a domain; a filler
    // Latin letters for clicks and others without capitals, which look like `!`, `|` and `2`.
    "1\u{1C3}2@example.com", "1\u{1C0}2@example.com", "1\u{1BB}@example.com",
    "1\u{294}@example.com", "1\u{A78F}2@example.com", "1\u{A7FB}@example.com",
    "1\u{1DF0A}2@example.com",
    // Whole words in Lisu (ADMIN), Canadian syllabics, Old Italic, Carian, Tifinagh, Runic and
    // Ogham letters; the alef of mathematics; a Cyrillic letter without capitals.
    "\u{A4EE}\u{A4D3}\u{A4DF}\u{A4F2}\u{A4E0}@example.com", "\u{15C5}\u{15EA}@example.com",
    "\u{10300}\u{10301}@example.com", "\u{102A0}@example.com", "1\u{2D4F}2@example.com",
    "1\u{16C1}2@example.com", "1\u{1681}2@example.com", "1\u{2135}2@example.com",
    "\u{A66E}@example.com",
    // A long vowel or an iteration mark without a letter before it: it looks like `1-2`.
    "1\u{30FC}2@example.com", "\u{30FC}@example.com", "\u{30B9}.\u{30FC}@example.com",
    "1\u{3005}@example.com",
    // Two scripts: Hebrew and Arabic, Thai and Lao, Han and Hebrew.
    "\u{5D3}\u{627}@example.com", "\u{E2A}\u{EAA}@example.com", "\u{738B}\u{5D3}@example.com",
  ])
  func `a local part that could be mistaken for another is refused`(text: String) {
    #expect(EmailAddress(text) == nil)
  }

  @Test(arguments: [
    "", "@", "ann", "ann@", "@example.com", "ann@@example.com", "ann@example.com@example.com",
    "\"ann\"@example.com", "ann<@example.com", "a,b@example.com", "ann@example..com",
    "ann@.example.com", "ann@example.com.", "ann@-example.com", "ann@example-.com",
    "ann@exam_ple.com", "ann@[127.0.0.1]",
  ])
  func `any other form is refused`(text: String) {
    #expect(EmailAddress(text) == nil)
  }

  @Test func `a label may be 63 bytes and no more`() {
    #expect(EmailAddress("ann@" + String(repeating: "a", count: 63) + ".example") != nil)
    #expect(EmailAddress("ann@" + String(repeating: "a", count: 64) + ".example") == nil)
  }

  @Test func `an address may be 256 bytes, of which the local part may be nearly all`() {
    let address = { String(repeating: "a", count: $0) + "@example.com" }
    #expect(EmailAddress(address(244)) != nil)
    #expect(EmailAddress(address(245)) == nil)
  }
}
