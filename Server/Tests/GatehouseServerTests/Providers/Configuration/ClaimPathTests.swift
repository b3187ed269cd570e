import GatehouseProtocol
import GatehouseServer
import Testing

@Suite struct ClaimPathTests {
  @Test(arguments: [
    ("upn", ["upn"]), ("https://example.com/mail", ["https://example.com/mail"]),
    ("/profile/mail", ["profile", "mail"]), ("/a~1b/c~0d", ["a/b", "c~d"]), ("a~b", ["a~b"]),
    ("sub", ["sub"]), ("/1/2/3/4", ["1", "2", "3", "4"]),
  ])
  func `a text is a claim's name, or with a slash a path through objects`(
    _ text: String, _ names: [String]
  ) {
    #expect(ClaimPath(text)?.names == names)
  }

  @Test(arguments: [
    "", "/", "//a", "/a/", "/a~2", "/a~", "/1/2/3/4/5", "a\u{0}", "iss", "/aud", "nonce", "exp",
    String(repeating: "a", count: 257),
  ])
  func `a malformed path, or one to a claim about the token, is refused`(_ text: String) {
    #expect(ClaimPath(text) == nil)
  }
}
