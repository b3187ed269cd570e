import GatehouseAuth
import Foundation
import Testing

@Suite("ActionCodeURL") struct ActionCodeURLTests {
  @Test func `parses a link`() throws {
    let url = try #require(
      ActionCodeURL(
        link: "https://auth.example.com/__/auth/action?mode=recoverEmail&oobCode=abc&apiKey=key"
          + "&continueUrl=https%3A%2F%2Fexample.com%2Fwelcome%3Fa%3D1&lang=vi"))
    #expect(url.operation == .recoverEmail)
    #expect(url.code == "abc")
    #expect(url.apiKey == "key")
    #expect(url.continueURL == URL(string: "https://example.com/welcome?a=1"))
    #expect(url.languageCode == "vi")
  }

  @Test(arguments: [
    ("resetPassword", ActionCodeOperation.passwordReset), ("verifyEmail", .verifyEmail),
    ("recoverEmail", .recoverEmail), ("signIn", .emailLink),
    ("verifyAndChangeEmail", .verifyAndChangeEmail),
    ("revertSecondFactorAddition", .revertSecondFactorAddition), ("invalid", .unknown),
  ])
  func `knows the modes`(_ mode: String, _ operation: ActionCodeOperation) {
    #expect(
      ActionCodeURL(link: "https://example.com/?mode=\(mode)&oobCode=abc")?.operation == operation)
  }

  @Test(arguments: ["no url", "", "https://example.com", "https://example.com/?", "mailto:"])
  func `a link without parameters is rejected`(_ link: String) {
    #expect(ActionCodeURL(link: link) == nil)
  }

  @Test func `a missing parameter is nil`() throws {
    let url = try #require(ActionCodeURL(link: "https://example.com/?lang=fr"))
    #expect(url.operation == .unknown)
    #expect(url.code == nil)
    #expect(url.apiKey == nil)
    #expect(url.continueURL == nil)
    #expect(url.languageCode == "fr")
  }

  @Test func `a component without an equals sign is ignored`() throws {
    let url = try #require(
      ActionCodeURL(link: "https://example.com/?flag&mode=signIn&oobCode=a=b&&"))
    #expect(url.operation == .emailLink)
    #expect(url.code == "a=b")
  }

  @Test func `the first of two parameters with one name is used`() {
    #expect(ActionCodeURL(link: "https://example.com/?oobCode=a&oobCode=b")?.code == "a")
  }

  @Test(arguments: ["link", "deep_link_id"])
  func `a nested link is parsed`(_ name: String) throws {
    let inner = "https://auth.example.com/__/auth/action?mode=signIn&oobCode=abc"
    let encoded = try #require(inner.addingPercentEncoding(withAllowedCharacters: .alphanumerics))
    let url = try #require(ActionCodeURL(link: "https://example.com/?\(name)=\(encoded)"))
    #expect(url.operation == .emailLink)
    #expect(url.code == "abc")
  }

  @Test func `parsing stops at the third nested link`() {
    var link = "https://example.com/?oobCode=deep"
    for _ in 0..<3 {
      let encoded = link.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
      link = "https://example.com/?link=\(encoded)"
    }
    #expect(ActionCodeURL(link: link)?.code == nil)
  }
}
