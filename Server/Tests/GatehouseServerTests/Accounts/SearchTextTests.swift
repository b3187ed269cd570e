import GatehouseProtocol
import Testing

@testable import GatehouseServer

@Suite struct SearchTextTests {
  static let words: [(String, [String])] = [
    ("Anna Schmidt", ["anna", "schmidt"]), ("Nguyễn Đức", ["nguyen", "duc"]),
    ("Weiß-Müller", ["weiss", "muller"]), ("Łukasz Żółć", ["lukasz", "zolc"]),
    ("O’Brien", ["o", "brien"]), ("ＡＢＣ１", ["abc1"]), ("ﬁn²", ["fin2"]),
    ("İstanbul ışık", ["istanbul", "isik"]), ("ΟΔΟΣ οδος", ["οδοσ", "οδοσ"]),
    ("🦊 fox 👩‍🚀", ["🦊", "fox", "👩🚀"]), ("हिन्दी", ["हिनदी"]), ("\u{301}\u{200B}", []), ("—!?", []),
  ]

  @Test(arguments: words) func `words are compared without marks and case`(
    text: String, words: [String]
  ) {
    #expect(
      SearchText.words(text).map { Array($0.utf8) }
        == words.map { word in
          Array(word.decomposedStringWithCompatibilityMapping.utf8)
        })
  }

  private func terms(_ change: (inout Account) throws -> Void) throws -> [String] {
    var account = Account(uid: try uid("a"), createdAt: World.start)
    try change(&account)
    return SearchedFields(account).terms
  }

  @Test func `an account is found by its name, addresses, domains and the end of its number`()
    throws
  {
    let terms = try terms {
      $0.email = try email("anna.schmidt@mail.example.co.uk")
      $0.displayName = "Anna Maria Schmidt"
      $0.phoneNumber = "+4917012345"
      var same = LinkedIdentity(
        provider: .google, subject: try subject("1"), linkedAt: World.start)
      same.email = $0.email
      var other = LinkedIdentity(
        provider: .apple, subject: try subject("2"), linkedAt: World.start)
      other.email = try email("ams.private@example.org")
      $0.identities = [same, other]
    }
    #expect(
      terms == [
        "#5432107194", "@co.uk", "@example.co.uk", "@example.org",
        "@mail.example.co.uk", "ams.private@example.org", "maria", "private", "schmidt",
      ])
  }

  @Test func `a word with which an address begins isn't stored twice`() throws {
    let terms = try terms {
      $0.email = try email("anna@localhost")
      $0.displayName = "Anna Ann Annabel"
    }
    #expect(terms == ["@localhost", "annabel"])
  }

  @Test func `the number of terms and their length are limited`() throws {
    let many = try terms {
      $0.displayName = (0..<128).map { "\($0)" }.joined(separator: " ")
    }
    #expect(many.count == SearchedFields.maximumTerms)
    let long = try terms { $0.displayName = String(repeating: "ü", count: 256) }
    #expect(long == [String(repeating: "u", count: SearchedFields.maximumWordBytes)])
  }
}
