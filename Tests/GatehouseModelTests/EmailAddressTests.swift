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
    "", "@", "ann", "ann@", "@example.com", "ann@@example.com", "ann@example.com@example.com",
    "\"ann\"@example.com", "ann<@example.com", "a,b@example.com", "ann@example..com",
    "ann@.example.com", "ann@example.com.", "ann@-example.com", "ann@example-.com",
    "ann@exam_ple.com", "ann@[127.0.0.1]",
  ])
  func `another form is refused`(text: String) {
    #expect(EmailAddress(text) == nil)
  }

  @Test func `a local part may be 64 bytes and no more`() {
    #expect(EmailAddress(String(repeating: "a", count: 64) + "@example.com") != nil)
    #expect(EmailAddress(String(repeating: "a", count: 65) + "@example.com") == nil)
  }

  @Test func `a label may be 63 bytes and no more`() {
    #expect(EmailAddress("ann@" + String(repeating: "a", count: 63) + ".example") != nil)
    #expect(EmailAddress("ann@" + String(repeating: "a", count: 64) + ".example") == nil)
  }

  @Test func `an address may be 254 bytes and no more`() {
    let label = String(repeating: "a", count: 63)
    let address = { (last: Int) in
      "a@\(label).\(label).\(label)." + String(repeating: "a", count: last)
    }
    #expect(address(60).utf8.count == 254)
    #expect(EmailAddress(address(60)) != nil)
    #expect(EmailAddress(address(61)) == nil)
  }
}
