import Foundation
import GatehouseProtocol
import GatehouseTokens
import Testing

@Suite struct ClaimsWriterTests {
  private func text(_ body: (inout ClaimsWriter) -> Void) -> String {
    String(decoding: ClaimsWriter.payload(body), as: UTF8.self)
  }

  @Test func `members keep the order in which they are written`() {
    let written = text {
      $0.string("iss", "https://auth.example.com/demo")
      $0.date("iat", Date(timeIntervalSince1970: 1_700_000_000.9))
      $0.int("n", -5)
      $0.bool("email_verified", false)
      $0.string("name", ifPresent: nil)
      $0.strings("amr", ["pwd", "\"q\""])
      $0.object("firebase") { firebase in
        firebase.object("identities") { $0.strings("apple.com", ["1"]) }
        firebase.string("sign_in_provider", "apple.com")
      }
      $0.attributes("extra", SignInAttributes(written: "{\"a\":null}"))
      $0.string("sub", "é")
    }
    #expect(
      written == """
        {"iss":"https://auth.example.com/demo","iat":1700000000,"n":-5,"email_verified":false,\
        "amr":["pwd","\\"q\\""],"firebase":{"identities":{"apple.com":["1"]},\
        "sign_in_provider":"apple.com"},"extra":{"a":null},"sub":"é"}
        """)
  }

  @Test func `the first member with a name wins, separately at each level`() throws {
    let custom = try CustomClaims(
      jsonText: "{\"email\":\"evil@example.com\",\"name\":\"N\",\"a\":1}")
    let written = text {
      $0.string("email", "real@example.com")
      $0.custom(custom)
      $0.string("name", "ignored")
      $0.object("firebase") { $0.string("email", "inner") }
      $0.string("a", "ignored")
    }
    #expect(
      written == """
        {"email":"real@example.com","name":"N","a":1,"firebase":{"email":"inner"}}
        """)
  }

  @Test(arguments: [(Date.distantPast, true), (.distantFuture, true)])
  func `dates out of range don't trap`(date: Date, expected: Bool) {
    #expect(text { $0.date("exp", date) }.contains("exp") == expected)
    #expect(!text { $0.date("exp", Date(timeIntervalSince1970: .infinity)) }.isEmpty)
    #expect(!text { $0.date("exp", Date(timeIntervalSince1970: .nan)) }.isEmpty)
  }
}
