import GatehouseProtocol
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
    "ann@example.com\u{0}", "ann lee@example.com", "ann\n@example.com", " ann@example.com",
    "ann\u{A0}lee@example.com", "ann\u{AD}@example.com",
  ])
  func `a space or a control character is refused`(text: String) {
    #expect(EmailAddress(text) == nil)
  }

  @Test(arguments: [
    (
      "mu\u{F1}oz@example.com",
      ["MU\u{D1}OZ@EXAMPLE.com", "mun\u{303}oz@example.com", "MUN\u{303}OZ@example.com"]
    ),
    ("m\u{FC}ller.2@example.com", ["Mu\u{308}ller.2@example.com"]),
    (
      "nguy\u{1EC5}n@example.com",
      ["Nguye\u{302}\u{303}n@example.com", "NGUY\u{1EC4}N@example.com"]
    ),
    ("stra\u{DF}e@example.com", ["Stra\u{DF}e@example.com"]),
    ("\u{142}\u{F3}d\u{17A}@example.com", ["\u{141}\u{D3}D\u{179}@example.com"]),
    ("\u{E6}r\u{F8}@example.com", ["\u{C6}R\u{D8}@example.com"]),
  ])
  func `Latin letters with diacritics are kept, in one form`(
    _ stored: String, _ others: [String]
  ) throws {
    let address = try #require(EmailAddress(stored))
    #expect(address.text.hasSameBytes(as: stored))
    for text in others { #expect(EmailAddress(text) == address) }
  }

  @Test(arguments: [
    ("munoz@example.com", "mu\u{F1}oz@example.com"), ("oe@example.com", "\u{153}@example.com"),
    ("ss@example.com", "\u{DF}@example.com"), ("i@example.com", "\u{EC}@example.com"),
    ("o@example.com", "\u{F8}@example.com"), ("d@example.com", "\u{111}@example.com"),
    ("\u{F0}@example.com", "\u{111}@example.com"), ("ae@example.com", "\u{E6}@example.com"),
  ])
  func `letters that look or sort alike are two addresses`(_ one: String, _ other: String) throws {
    #expect(try #require(EmailAddress(one)) != #require(EmailAddress(other)))
  }

  @Test(arguments: [
    "\u{212A}ate@example.com",  // KELVIN SIGN: NFC and lower case make it k
    "\u{212B}ke@example.com", "a\u{30A}\u{212B}@example.com",  // ANGSTROM SIGN
    // forms of ASCII letters
    "\u{17F}am@example.com", "\u{FB01}@example.com", "o\u{FB01}\u{E9}@example.com",
    "\u{FF41}@example.com", "\u{AA}@example.com", "\u{1C5}@example.com", "\u{133}@example.com",
    "a\u{340}@example.com", "a\u{341}@example.com",  // marks that repeat other marks
    // marks without a letter
    "q\u{303}@example.com", "\u{303}@example.com", "1\u{303}@example.com",
    "n\u{303}\u{34F}@example.com", "n\u{34F}\u{303}@example.com",  // an invisible joiner
    // The capitals of `i` and `ı` are `I` and `İ` in Turkish only.
    "\u{131}sik@example.com", "\u{130}stanbul@example.com", "I\u{307}@example.com",
    "\u{1E9E}@example.com",  // a capital whose small letter is another address's
    "\u{251}@example.com", "\u{28F}@example.com", "\u{1D00}@example.com",  // phonetic letters
  ])
  func `a letter that folds or normalises into another is refused`(text: String) {
    #expect(EmailAddress(text) == nil)
  }

  @Test func `no two characters are joined except a capital and its small letter`() throws {
    var places: [[UInt8]: Unicode.Scalar] = [:]
    var forms: Set<String> = []
    // All but Chinese characters, Hangul syllables, and scripts that nobody writes today.
    for value in [UInt32(0)...0x33FF, 0xA480...0xABFF, 0xF900...0x10FFF].joined() {
      guard let scalar = Unicode.Scalar(value) else { continue }
      // The second form is for marks that need a letter before them.
      for text in ["\(scalar)@x.example", "\u{5B57}\(scalar)@x.example", "a@\(scalar)x.example"] {
        guard let stored = EmailAddress(text)?.text else { continue }
        // The set compares by canonical equivalence.
        forms.insert(stored)
        let other = places.updateValue(scalar, forKey: Array(stored.utf8))
        if let other {
          #expect(
            String(other).lowercased() == String(scalar).lowercased()
              && String(other).uppercased() == String(scalar).uppercased(), "\(other) \(scalar)")
        }
        // The stored form is final.
        #expect(EmailAddress(stored)?.text.hasSameBytes(as: stored) == true)
      }
    }
    #expect(forms.count == places.count)
    #expect(places.count > 10_000)
  }

  @Test(arguments: [
    ("b\u{FC}cher.example", "xn--bcher-kva.example"),
    ("B\u{DC}CHER.Example", "xn--bcher-kva.example"),
    ("bu\u{308}cher.example", "xn--bcher-kva.example"),
    ("\u{43F}\u{440}\u{438}\u{43C}\u{435}\u{440}.\u{440}\u{444}", "xn--e1afmkfd.xn--p1ai"),
    (
      "\u{3C0}\u{3B1}\u{3C1}\u{3AC}\u{3B4}\u{3B5}\u{3B9}\u{3B3}\u{3BC}\u{3B1}.\u{3B4}\u{3BF}\u{3BA}\u{3B9}\u{3BC}\u{3AE}",
      "xn--hxajbheg2az3al.xn--jxalpdlp"
    ),
    ("\u{4F8B}\u{3048}.\u{30C6}\u{30B9}\u{30C8}", "xn--r8jz45g.xn--zckzah"),
    (
      "\u{909}\u{926}\u{93E}\u{939}\u{930}\u{923}.\u{92A}\u{930}\u{940}\u{915}\u{94D}\u{937}\u{93E}",
      "xn--p1b6ci4b4b3a.xn--11b5bs3a9aj6g"
    ),
    (
      "\u{645}\u{62B}\u{627}\u{644}.\u{625}\u{62E}\u{62A}\u{628}\u{627}\u{631}",
      "xn--mgbh0fb.xn--kgbechtv"
    ),
    ("\u{1112}\u{1161}\u{11AB}\u{AD6D}.kr", "xn--3e0b707e.kr"), ("\u{AC00}-1.kr", "xn---1-hs1i.kr"),
  ])
  func `a domain beyond ASCII is stored in its xn-- form`(_ domain: String, _ ascii: String) throws
  {
    let address = try #require(EmailAddress("ann@\(domain)"))
    #expect(address.domain == ascii)
    #expect(EmailAddress("ann@\(ascii.uppercased())") == address)
  }

  @Test(arguments: [
    "fa\u{DF}.example", "FA\u{1E9E}.example",  // ss in older programs
    // the two forms of sigma
    "\u{3B2}\u{3CC}\u{3BB}\u{3BF}\u{3C2}.example", "\u{3A3}\u{3B1}.example",
    "a\u{200D}\u{FC}.example", "\u{915}\u{94D}\u{200D}\u{937}.example", "\u{FC}\u{AD}a.example",
    "\u{212A}.example", "\u{212B}.example", "\u{FF41}.example", "\u{FB01}.example",
    "\u{2460}.example",
    "b\u{FC}cher\u{3002}example", "b\u{FC}cher\u{FF0E}example",  // other dots
    "\u{131}\u{15F}\u{131}k.example", "\u{130}.example", "\u{13A0}.example", "\u{AB70}.example",
    "\u{1112}\u{1161}x\u{1161}.example", "\u{308}a.example", "\u{661}.example", "\u{30FB}.example",
    "-\u{FC}.example", "\u{FC}-.example", "xn--\u{FC}.example", "\u{FC}_a.example",
    "\u{FC}..example",
    "\u{FC}.exa mple", "\u{1F600}.example", "\u{378}.example",  // not a letter; not assigned
    "\u{F900}.example", "\u{1C80}.example", "\u{345}a.example",
  ])
  func `a domain that programs could read in two ways is refused`(_ domain: String) {
    #expect(EmailAddress("ann@\(domain)") == nil)
  }

  @Test func `a label in letters may be 63 bytes in its xn-- form and no more`() {
    // `xn--`, the letters, `-` and three digits for the place of `ü`.
    #expect(EmailAddress("ann@\u{FC}" + String(repeating: "a", count: 55) + ".example") != nil)
    #expect(EmailAddress("ann@\u{FC}" + String(repeating: "a", count: 56) + ".example") == nil)
    // A long label costs little.
    #expect(EmailAddress("ann@" + String(repeating: "\u{FC}", count: 120)) == nil)
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
    "\u{3B1}@example.com", "zo\u{EB}\u{430}@example.com",  // Greek; Latin with a Cyrillic letter
    "a\u{30C6}@example.com", "\u{F1}\u{30C6}@example.com",  // with a Latin letter
    "\u{FF83}\u{FF7D}\u{FF84}@example.com",  // Katakana of half width
    "\u{30C6}\u{3099}@example.com",  // a mark that could be composed
    "\u{30C6}\u{200B}@example.com", "\u{30C6}\u{202E}@example.com",  // invisible; reordering
    "\u{F900}@example.com",  // an ideograph that Unicode has twice
    "\u{115F}@example.com",  // a filler
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
