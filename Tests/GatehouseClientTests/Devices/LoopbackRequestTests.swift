import GatehouseClient
import Testing

@Suite struct LoopbackRequestTests {
  private static let target = "/firebaseauth/link/abc?deep_link_id=https%3A%2F%2Fx"
  private static let good =
    "GET \(target) HTTP/1.1\r\nHost: 127.0.0.1:4000\r\nAccept: */*\r\n"
    + "Sec-Fetch-Mode: navigate\r\n\r\n"

  private func judge(_ text: String) -> LoopbackRequest {
    LoopbackRequest(
      Array(text.utf8), beginPath: "/firebaseauth/begin/xyz", path: "/firebaseauth/link/abc",
      authority: "127.0.0.1:4000")
  }

  @Test func `the browser's return is the answer`() {
    #expect(judge(Self.good) == .answer(Self.target))
    #expect(judge(Self.good + "more") == .answer(Self.target))
    #expect(
      judge(Self.good.replacing("Sec-Fetch-Mode: navigate\r\n", with: ""))
        == .answer(Self.target))
    #expect(judge(Self.good.replacing("Host: ", with: "HOST:")) == .answer(Self.target))
  }

  @Test func `the URL that the browser is opened with begins the sign-in`() {
    let begin = Self.good.replacing(Self.target, with: "/firebaseauth/begin/xyz")
    #expect(judge(begin) == .begin)
    #expect(judge(begin.replacing("xyz", with: "xyz?a=b")) == .refused(status: 404))
    #expect(judge(begin.replacing("navigate", with: "cors")) == .refused(status: 403))
    #expect(judge(begin.replacing("GET ", with: "POST ")) == .refused(status: 405))
  }

  @Test func `an incomplete request is waited for`() {
    for length in [0, 1, 20, Self.good.utf8.count - 1] {
      #expect(judge(String(decoding: Self.good.utf8.prefix(length), as: UTF8.self)) == .incomplete)
    }
  }

  @Test(arguments: [
    ("GET /", "POST /", 405),
    ("GET /", "HEAD /", 405),
    ("/link/abc?", "/link/abd?", 404),
    ("/link/abc?", "/link/abc/?", 404),
    ("/link/abc?", "/link/ABC?", 404),
    ("/firebaseauth/link/abc?deep_link_id=https%3A%2F%2Fx", "/favicon.ico", 404),
    ("?deep_link_id=https%3A%2F%2Fx", "", 403),
    ("Sec-Fetch-Mode: navigate", "Sec-Fetch-Mode: no-cors", 403),
    ("Sec-Fetch-Mode: navigate", "Sec-Fetch-Mode: cors", 403),
    ("Host: 127.0.0.1:4000", "Host: localhost:4000", 421),
    ("Host: 127.0.0.1:4000", "Host: 127.0.0.1:4001", 421),
    ("Host: 127.0.0.1:4000", "Host: attacker.example", 421),
    ("Host: 127.0.0.1:4000\r\n", "", 421),
    ("Host: 127.0.0.1:4000", "Host: 127.0.0.1:4000\r\nHost: attacker.example", 421),
    ("GET /", "GET http://127.0.0.1:4000/", 400),
    ("HTTP/1.1", "HTTP/2.0", 400),
    (" HTTP/1.1", "", 400),
    ("GET ", "GET  ", 400),
  ])
  func `anything else is refused`(_ part: String, _ other: String, _ status: Int) {
    #expect(judge(Self.good.replacing(part, with: other)) == .refused(status: status))
  }

  @Test func `bytes that aren't text are refused`() {
    #expect(
      LoopbackRequest(
        [0xFF, 0xFE, 13, 10, 13, 10], beginPath: "/begin", path: "/", authority: "127.0.0.1:1")
        == .refused(status: 400))
  }

  @Test func `a head has a limit, whether it ends or not`() {
    let most = LoopbackRequest.longestBytes
    #expect(judge(String(repeating: "a", count: most)) == .incomplete)
    #expect(judge(String(repeating: "a", count: most + 1)) == .refused(status: 431))
    let long = Self.good.replacing(
      "Accept: */*", with: "Accept: " + String(repeating: "a", count: most))
    #expect(judge(long) == .refused(status: 431))
  }
}
